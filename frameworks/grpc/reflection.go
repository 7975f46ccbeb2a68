//go:build reflection

package grpc

import (
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/reflection"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// describing has a server tell its services, for clients without their .proto files.
func describing(s *grpc.Server) { reflection.Register(s) }

// The generated code describes messages alone. Whoever imports it has registered these.
func init() {
	call := func(name, message string) *descriptorpb.MethodDescriptorProto {
		return &descriptorpb.MethodDescriptorProto{Name: proto.String(name), InputType: proto.String(message), OutputType: proto.String(message)}
	}
	stream := call("Stream", ".rpcbench.EchoMessage")
	stream.ClientStreaming, stream.ServerStreaming = proto.Bool(true), proto.Bool(true)
	register("bencher.proto", serviceName, call("Echo", ".rpcbench.EchoMessage"), call("Message", ".rpcbench.BenchMessage"))
	register("streamer.proto", streamerName, stream)
}

// register describes a file with one service.
func register(file, service string, methods ...*descriptorpb.MethodDescriptorProto) {
	pkg, name, _ := strings.Cut(service, ".")
	f, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{
		Name: proto.String(file), Package: proto.String(pkg), Syntax: proto.String("proto3"), Dependency: []string{"bench.proto", "echo.proto"},
		Service: []*descriptorpb.ServiceDescriptorProto{{Name: proto.String(name), Method: methods}},
	}, protoregistry.GlobalFiles)
	if err == nil {
		err = protoregistry.GlobalFiles.RegisterFile(f)
	}
	if err != nil {
		panic(err)
	}
}
