package schema

import (
	"context"
	"errors"
	"fmt"

	"github.com/jhump/protoreflect/v2/grpcreflect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Ask returns the schema that a server's reflection tells. It asks for services and messages
// as they are needed, until ctx is done.
func Ask(ctx context.Context, conn grpc.ClientConnInterface) (*Schema, error) {
	client := grpcreflect.NewClientAuto(ctx, conn)
	services, err := client.ListServices()
	if status.Code(err) == codes.Unimplemented {
		return nil, errors.New("the server has no reflection, which would tell its methods: give a descriptor set or .proto files")
	}
	if err != nil {
		return nil, fmt.Errorf("the server's reflection failed: %w", err)
	}
	all := client.AsResolver()
	return &Schema{services, all.FindDescriptorByName, all.AsTypeResolver()}, nil
}
