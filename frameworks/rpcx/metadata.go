package rpcx

import (
	"context"

	rpcxclient "github.com/smallnest/rpcx/client"
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"
	"github.com/smallnest/rpcx/share"

	"github.com/rpcbench/rpcbench/frameworks/internal/native"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries has the limit of this adapter: rpcx itself has none below that of a message.
func carries() metadata.Means {
	return metadata.Means{
		By:    "`share.ReqMetaDataKey` and `share.ResMetaDataKey` of contexts; the server has a PreHandleRequest plug-in",
		Most:  MaxMessage,
		Added: 8, // two lengths
	}
}

// carrier is an XClient whose calls carry metadata.
type carrier struct {
	rpcxclient.XClient
	calls *metadata.Calls
}

// Call implements rpcxclient.XClient. It wants the metadata back.
func (c carrier) Call(ctx context.Context, method string, args, reply any) error {
	sent, came := c.calls.Next(), map[string]string{}
	ctx = context.WithValue(sending(ctx, sent), share.ResMetaDataKey, came)
	if err := c.XClient.Call(ctx, method, args, reply); err != nil {
		return err
	}
	return sent.Same(came)
}

// Go implements rpcxclient.XClient. Who takes the reply checks the metadata, see returned.
func (c carrier) Go(ctx context.Context, method string, args, reply any, done chan *rpcxclient.Call) (*rpcxclient.Call, error) {
	return c.XClient.Go(sending(ctx, c.calls.Next()), method, args, reply, done)
}

// sending returns the context of a call that carries entries. rpcx adds to the map.
func sending(ctx context.Context, e metadata.Entries) context.Context {
	return context.WithValue(ctx, share.ReqMetaDataKey, e.Map())
}

// returned is result for calls that carry metadata.
func returned[E any](c *rpcxclient.Call) native.Landed[E] {
	l := result[E](c)
	if l.Err == nil {
		l.Err = metadata.From(c.Metadata).Same(c.ResMetadata)
	}
	return l
}

// returning is a plug-in that has a server send metadata back.
type returning struct{}

var _ server.PreHandleRequestPlugin = returning{}

// PreHandleRequest implements server.PreHandleRequestPlugin.
func (returning) PreHandleRequest(ctx context.Context, r *protocol.Message) error {
	reply := ctx.Value(share.ResMetaDataKey).(map[string]string)
	for name, value := range r.Metadata {
		if metadata.Own(name) {
			reply[name] = value
		}
	}
	return nil
}
