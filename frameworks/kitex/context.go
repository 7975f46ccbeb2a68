package kitex

import (
	"context"
	"io"

	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/streaming"
)

// within is a client whose calls and streams have other contexts, and whose calls may carry
// metadata.
type within struct {
	kitexclient.Client
	context func(context.Context) context.Context // nil: they have their own
	carry   carry
}

// Call implements kitexclient.Client.
func (c within) Call(ctx context.Context, method string, request, response any) error {
	if c.carry == nil {
		return c.Client.Call(c.of(ctx), method, request, response)
	}
	return c.carry(c.of(ctx), func(ctx context.Context) error { return c.Client.Call(ctx, method, request, response) })
}

// of returns the context of a call or a stream.
func (c within) of(ctx context.Context) context.Context {
	if c.context == nil {
		return ctx
	}
	return c.context(ctx)
}

// Stream implements kitexclient.Streaming.
func (c within) Stream(ctx context.Context, method string, request, response any) error {
	return c.Client.(kitexclient.Streaming).Stream(c.of(ctx), method, request, response)
}

// StreamX implements kitexclient.Streaming.
func (c within) StreamX(ctx context.Context, method string) (streaming.ClientStream, error) {
	return c.Client.(kitexclient.Streaming).StreamX(c.of(ctx), method)
}

// Close implements io.Closer.
func (c within) Close() error { return closeClient(c.Client) }

// closeClient closes a client now. Kitex's interface has no Close and leaves that to
// the garbage collector, but its implementation has one.
func closeClient(c kitexclient.Client) error {
	if c, ok := c.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
