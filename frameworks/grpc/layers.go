package grpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// layers describes the layers of the recommended variant.
func layers() *framework.Layers {
	return &framework.Layers{
		Has: map[framework.Layer]string{
			framework.TLS13: "credentials.NewTLS on both sides",
			framework.MTLS:  "credentials.NewTLS on both sides",
			framework.Gzip:  "the client has UseCompressor with gRPC's own gzip, and the server answers with the compressor of the request",
		},
		With: func(s framework.Stack) framework.Variant {
			with := plainly
			with.layers = s
			return variant(with, protobufKind)
		},
	}
}

// alpn is the protocol that gRPC announces in TLS by itself.
const alpn = "h2"

func serverLayers(s framework.Stack) (options []grpc.ServerOption) {
	if s.TLS() {
		options = append(options, grpc.Creds(credentials.NewTLS(s.ServerTLS(alpn))))
	}
	return options
}

// clientLayers returns the options of all connections of a client.
func clientLayers(s framework.Stack, o framework.DialOptions) []grpc.DialOption {
	secured := insecure.NewCredentials()
	if s.TLS() {
		secured = credentials.NewTLS(s.ClientTLS(o, alpn))
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(secured)}
	if s.Has(framework.Gzip) {
		options = append(options, grpc.WithDefaultCallOptions(grpc.UseCompressor(gzip.Name)))
	}
	return options
}
