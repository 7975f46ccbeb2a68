package motan

import (
	"context"
	"errors"
	"iter"

	motango "github.com/weibocom/motan-go"
	"github.com/weibocom/motan-go/core"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries describes attachments. They are lines of names and of values, of which motan-go drops
// those that are empty.
func carries() metadata.Means {
	return metadata.Means{
		By: "attachments of requests and of responses; the client calls its cluster as motan-go's BaseCall does, which returns no attachments", Text: true, Filled: true,
		Most: maxContent, Added: 2,
	}
}

// carried makes a call with metadata, and wants it back.
func (c *client) carried(method string, argument, reply any) error {
	sent := c.calls.Next()
	req := c.request(method, argument)
	for name, value := range sent.All() {
		req.SetAttachment(name, value)
	}
	rc := req.GetRPCContext(true)
	rc.ExtFactory, rc.Reply = motango.GetDefaultExtFactory(), reply
	res := c.conns.Call(req)
	if e := res.GetException(); e != nil {
		return errors.New(e.ErrMsg)
	}
	return sent.Check(entries(res))
}

// carriedAsync makes a call with metadata in a goroutine, as motan-go's Go does.
func (c *client) carriedAsync(ctx context.Context, method string, argument, reply any) error {
	done := make(chan error, 1)
	go func() { done <- c.carried(method, argument, reply) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// returned has a response carry the metadata of its request.
func returned(res core.Response, req core.Request) {
	req.GetAttachments().Range(func(name, value string) bool {
		if metadata.Own(name) {
			res.SetAttachment(name, value)
		}
		return true
	})
}

// entries ranges over the attachments of a response.
func entries(res core.Response) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) { res.GetAttachments().Range(yield) }
}
