package kitex

import (
	"context"
	"math"

	"github.com/bytedance/gopkg/cloud/metainfo"
	kitexclient "github.com/cloudwego/kitex/client"
	"github.com/cloudwego/kitex/pkg/endpoint"
	"github.com/cloudwego/kitex/pkg/remote/trans/nphttp2"
	grpcmetadata "github.com/cloudwego/kitex/pkg/remote/trans/nphttp2/metadata"
	"github.com/cloudwego/kitex/server"
	"github.com/cloudwego/kitex/transport"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// carriesByTTHeader has the limits of TTHeader: the number of words of 4 bytes in a header has
// two bytes, as has each length, and kitex's prefix of a name is counted. The rest is for
// what kitex adds. metainfo drops entries without a value.
func carriesByTTHeader() metadata.Means {
	return metadata.Means{
		By:        "transient values of metainfo and its backward values, which have calls use TTHeader",
		Filled:    true,
		Most:      4*math.MaxUint16 - 1<<10,
		Added:     2 + len(metainfo.PrefixTransient) + 2,
		MostValue: math.MaxUint16,
	}
}

// carriesByGRPC has kitex's limit for a list of headers, each with 32 bytes beside its name and
// its value. The rest is for the headers of gRPC.
func carriesByGRPC() metadata.Means {
	return metadata.Means{
		By:     "kitex's package metadata, AppendToOutgoingContext of the client and SetHeader of the server, in its middleware",
		Base64: true,
		Most:   16<<20 - 1<<10,
		Added:  32,
	}
}

// carry makes a call with metadata, and wants it back. nil makes it without.
type carry func(ctx context.Context, call func(context.Context) error) error

// carrying returns how calls of a client carry metadata; nil if they carry none.
func (s setup) carrying() carry {
	switch set := s.layers.Metadata; {
	case set.Entries == 0:
		return nil
	case s.name == grpc.name:
		return overGRPC(set.Calls())
	default:
		return overTTHeader(set.Calls())
	}
}

func overTTHeader(calls *metadata.Calls) carry {
	return func(ctx context.Context, call func(context.Context) error) error {
		sent := calls.Next()
		ctx = metainfo.WithBackwardValues(metainfo.WithValues(ctx, sent...))
		if err := call(ctx); err != nil {
			return err
		}
		return sent.Same(metainfo.RecvAllBackwardValues(ctx))
	}
}

func overGRPC(calls *metadata.Calls) carry {
	return func(ctx context.Context, call func(context.Context) error) error {
		sent := calls.Next()
		var header grpcmetadata.MD
		ctx = nphttp2.GRPCHeader(grpcmetadata.AppendToOutgoingContext(ctx, sent...), &header)
		if err := call(ctx); err != nil {
			return err
		}
		return sent.Check(metadata.Lists(header))
	}
}

// carriers are the options of a client whose calls carry metadata.
func (s setup) carriers() []kitexclient.Option {
	if s.layers.Metadata.Entries == 0 || s.name == grpc.name {
		return nil
	}
	return []kitexclient.Option{kitexclient.WithTransportProtocol(transport.TTHeader)}
}

// returners are the options of a server that sends metadata back.
func (s setup) returners() []server.Option {
	if s.layers.Metadata.Entries == 0 {
		return nil
	}
	back := returnByTTHeader
	if s.name == grpc.name {
		back = returnByGRPC
	}
	return []server.Option{server.WithMiddleware(func(next endpoint.Endpoint) endpoint.Endpoint {
		return func(ctx context.Context, req, resp any) error {
			if err := back(ctx); err != nil {
				return err
			}
			return next(ctx, req, resp)
		}
	})}
}

func returnByTTHeader(ctx context.Context) error {
	metainfo.SendBackwardValuesFromMap(ctx, metadata.OwnOf(metainfo.GetAllValues(ctx)))
	return nil
}

func returnByGRPC(ctx context.Context) error {
	came, _ := grpcmetadata.FromIncomingContext(ctx)
	return nphttp2.SetHeader(ctx, metadata.OwnOf(came))
}
