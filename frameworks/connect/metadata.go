package connect

import (
	"context"
	"iter"
	"net/http"

	"connectrpc.com/connect"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries has the limit of net/http's server, DefaultMaxHeaderBytes, and leaves room for
// other headers.
func carries() metadata.Means {
	return metadata.Means{
		By:     "headers of requests and replies, in interceptors; EncodeBinaryHeader for binary ones",
		Base64: true,
		Most:   http.DefaultMaxHeaderBytes - 4<<10,
		Added:  32, // as HTTP/2 counts them; HTTP/1 adds 4
	}
}

// carrying has the calls of a client carry metadata, and wants it back.
func carrying(set metadata.Set) connect.ClientOption {
	calls, values := set.Calls(), metadata.Lists[http.Header]
	if set.Binary {
		values = decoded
	}
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			sent := calls.Next()
			for name, value := range sent.All() {
				if set.Binary {
					value = connect.EncodeBinaryHeader([]byte(value))
				}
				r.Header().Set(name, value)
			}
			reply, err := next(ctx, r)
			if err != nil {
				return nil, err
			}
			return reply, sent.Check(values(reply.Header()))
		}
	}))
}

// decoded ranges over the values of own headers as they were before EncodeBinaryHeader.
func decoded(h http.Header) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, value := range metadata.Lists(h) {
			if !metadata.Own(name) {
				continue
			}
			b, err := connect.DecodeBinaryHeader(value)
			if err != nil {
				b = []byte(err.Error()) // which nobody sent
			}
			if !yield(name, string(b)) {
				return
			}
		}
	}
}

// returning has a server send metadata back.
func returning() connect.HandlerOption {
	return connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, r connect.AnyRequest) (connect.AnyResponse, error) {
			reply, err := next(ctx, r)
			if err != nil {
				return nil, err
			}
			header := reply.Header()
			for name, values := range r.Header() {
				if metadata.Own(name) {
					header[name] = values
				}
			}
			return reply, nil
		}
	}))
}
