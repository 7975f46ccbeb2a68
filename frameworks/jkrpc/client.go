package jkrpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns"
	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/loadgen"
)

var _ framework.MessageClient = (*client)(nil)

// client has a connection for each call under way, because HTTP/1.1 needs that.
type client struct {
	url     string
	largest int64 // of a reply, in bytes
	http    http.Client
	conns   conns.Set
	id      atomic.Int64
}

// dial makes a client, and a call with which net/http opens a connection.
func dial(addr string, o framework.DialOptions) (framework.Client, error) {
	c := &client{url: "http://" + addr, largest: maxBody}
	t := web.Transport(addr, &c.conns, nil)
	t.MaxConnsPerHost, t.MaxIdleConnsPerHost = o.Callers, o.Callers
	t.DisableCompression = true // the server would compress at its highest level
	c.http.Transport = t
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(o.Patience, conns.DialTimeout))
	defer cancel()
	if _, err := call(ctx, c, methodEcho, &plain.EchoMessage{Action: handler.ActionEcho}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Echo implements framework.Client.
func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return plain.Kind.Echo(requests, check, func(ctx context.Context, _ int, req *plain.EchoMessage) (*plain.EchoMessage, error) {
		return call(ctx, c, methodEcho, req)
	})
}

// Message implements framework.MessageClient.
func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	return plain.Kind.Message(workers, check, func(ctx context.Context, _ int, req *plain.BenchMessage) (*plain.BenchMessage, error) {
		return call(ctx, c, methodMessage, req)
	})
}

// CallUnknown implements framework.MethodClient.
func (c *client) CallUnknown(ctx context.Context) error {
	_, err := call(ctx, c, methodUnknown, new(plain.EchoMessage))
	return err
}

// Close implements framework.Client.
func (c *client) Close() error {
	c.conns.Close()
	return nil
}

// nothing is the error of a reply that is empty.
const nothing = "jkrpc: the reply has neither a value nor an exception"

// call calls a method whose result has the type of its argument.
func call[M any](ctx context.Context, c *client, method string, arg *M) (*M, error) {
	id := c.id.Add(1)
	body, err := json.Marshal(request[*M]{Class: service, Method: method, Args: []*M{arg}, ID: id})
	if err != nil {
		return nil, err
	}
	text, err := c.post(ctx, body)
	if err != nil {
		return nil, err
	}
	var r response[M]
	err = json.Unmarshal(text, &r)
	switch {
	case err != nil:
		return nil, fmt.Errorf("jkrpc: reply: %w", err)
	case r.Exception != nil:
		return nil, r.Exception
	case r.RequestID != id:
		return nil, fmt.Errorf("jkrpc: the reply to request %d came for request %d", r.RequestID, id)
	case r.Value == nil: // some versions answer so if the method does not exist
		return nil, errors.New(nothing)
	}
	return r.Value, nil
}

func (c *client) post(ctx context.Context, body []byte) ([]byte, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Content-Type", "application/json")
	r, err := c.http.Do(q)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	text, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, c.largest))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return nil, fmt.Errorf("jkrpc: a reply is over the largest, %d bytes", large.Limit)
	}
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("jkrpc: %s", r.Status)
	}
	return text, err
}
