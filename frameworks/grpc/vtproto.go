package grpc

import (
	vtproto "github.com/planetscale/vtprotobuf/codec/grpc"
	"google.golang.org/grpc"
)

// vtprotoKind is protobufKind with the methods that vtprotobuf generates for the same
// messages. Its documentation registers the codec for a whole process instead.
func vtprotoKind() kind {
	k := protobufKind
	k.name = "vtproto"
	k.about = "; vtprotobuf's own codec is set by ForceCodec"
	k.modules = []string{"github.com/planetscale/vtprotobuf", "google.golang.org/protobuf"}
	k.server = []grpc.ServerOption{grpc.ForceServerCodec(vtproto.Codec{})}
	k.calls = []grpc.CallOption{grpc.ForceCodec(vtproto.Codec{})}
	return k
}
