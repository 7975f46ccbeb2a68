package grpc

import (
	vtproto "github.com/planetscale/vtprotobuf/codec/grpc"
	"google.golang.org/grpc"
)

// vtprotoKind is a kind with the methods that vtprotobuf generates for the same messages.
// Its documentation registers the codec for a whole process instead.
func vtprotoKind(k kind) kind {
	k.name = "vtproto"
	k.about = "; vtprotobuf's own codec is set by ForceCodec" + k.about
	k.modules = []string{"github.com/planetscale/vtprotobuf", "google.golang.org/protobuf"}
	k.server = []grpc.ServerOption{grpc.ForceServerCodec(vtproto.Codec{})}
	k.calls = []grpc.CallOption{grpc.ForceCodec(vtproto.Codec{})}
	return k
}

// hasVT reports whether vtprotobuf has generated methods of a message.
func hasVT[M any]() bool {
	_, has := any(new(M)).(interface {
		MarshalVT() ([]byte, error)
		UnmarshalVT([]byte) error
	})
	return has
}
