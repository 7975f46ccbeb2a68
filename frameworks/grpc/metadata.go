package grpc

import (
	"context"

	"google.golang.org/grpc"
	grpcmetadata "google.golang.org/grpc/metadata"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carries describes the metadata of calls. grpc-go takes lists of headers of up to 16 MiB.
// HTTP/2 counts 32 bytes for a header beside its name and its value. The headers of gRPC itself
// have 1 KiB of the list.
func carries() metadata.Means {
	return metadata.Means{
		By:     "AppendToOutgoingContext of the client and SetHeader of the server, in interceptors",
		Base64: true,
		Most:   maxHeaders - 1<<10,
		Added:  32,
	}
}

// maxHeaders is gRPC's own limit for a list of headers, on both sides.
const maxHeaders = 16 << 20

// carrying has the calls of a client carry metadata, and wants it back.
func carrying(s metadata.Set) grpc.DialOption {
	calls := s.Calls()
	return grpc.WithChainUnaryInterceptor(func(ctx context.Context, method string, req, reply any, c *grpc.ClientConn, invoke grpc.UnaryInvoker, o ...grpc.CallOption) error {
		sent := calls.Next()
		var header grpcmetadata.MD
		ctx = grpcmetadata.AppendToOutgoingContext(ctx, sent...)
		if err := invoke(ctx, method, req, reply, c, append(o, grpc.Header(&header))...); err != nil {
			return err
		}
		return sent.Check(metadata.Lists(header))
	})
}

// returning has a server send metadata back.
func returning() grpc.ServerOption {
	return grpc.ChainUnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		if came, ok := grpcmetadata.FromIncomingContext(ctx); ok {
			if err := grpc.SetHeader(ctx, metadata.OwnOf(came)); err != nil {
				return nil, err
			}
		}
		return handle(ctx, req)
	})
}
