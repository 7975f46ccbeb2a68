package connect

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/internal/conns/web"
	"github.com/rpcbench/rpcbench/frameworks/internal/native/protobuf"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/waiting"
)

// TestStreamsOfAServerThatWaits: it sends the headers of its answer at once. While a request's
// body waits too, net/http does not end the answer's with its context.
func TestStreamsOfAServerThatWaits(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle(methodEcho, unary(methodEcho, protobuf.Kind.HandleEcho, nil))
	mux.Handle(methodStream, connect.NewBidiStreamHandler(methodStream, flushAndWait(t.Context().Done())))
	s, err := web.Serve("127.0.0.1:0", mux, nil, h2c.flow)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	waiting.Ends(t, s.Addr(), slices.DeleteFunc(Variants(), func(v framework.Variant) bool { return !v.Streams || v.Datagrams })...)
}

// flushAndWait returns a handler that heeds neither the client's deadline nor its end.
func flushAndWait(end <-chan struct{}) func(context.Context, *bidiStream) error {
	return func(_ context.Context, s *bidiStream) error {
		err := s.Send(nil)
		<-end
		return err
	}
}

type bidiStream = connect.BidiStream[protobuf.EchoMessage, protobuf.EchoMessage]
