package dubbo

import (
	"context"
	"strconv"

	"dubbo.apache.org/dubbo-go/v3/common"
	"dubbo.apache.org/dubbo-go/v3/common/constant"
	"dubbo.apache.org/dubbo-go/v3/protocol"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple/triple_protocol"
	dubboserver "dubbo.apache.org/dubbo-go/v3/server"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// setup is the protocol that both sides use, and the service on it.
type setup struct {
	protocol string
	option   protocol.Option
	register func(*dubboserver.Server) error
	layers   layer.Stack
}

func pojosOverDubbo() setup {
	return setup{constant.DubboProtocol, protocol.WithDubbo(), func(s *dubboserver.Server) error {
		return s.RegisterService(&Bencher[EchoMessage, BenchMessage]{pojos}, dubboserver.WithInterface(service))
	}, layer.Stack{}}
}

func triples(layers layer.Stack) setup {
	return setup{constant.TriProtocol, protocol.WithTriple(
		triple.WithMaxServerRecvMsgSize(strconv.Itoa(maxPackage)),
		triple.WithMaxServerSendMsgSize(strconv.Itoa(maxPackage)),
	), func(s *dubboserver.Server) error {
		return s.Register(&Bencher[pb.EchoMessage, pb.BenchMessage]{protobufs}, tripleService(layers.Metadata.Entries > 0),
			dubboserver.WithFilter(filtersOfServer(layers.Chain)))
	}, layers}
}

// tripleService describes the service as protoc-gen-go-triple would generate it, whose
// replies may have the metadata of their requests.
func tripleService(returns bool) *common.ServiceInfo {
	type handler = *Bencher[pb.EchoMessage, pb.BenchMessage]
	return &common.ServiceInfo{
		InterfaceName: service,
		ServiceType:   handler(nil),
		Methods: []common.MethodInfo{
			unary(methodEcho, handler.Echo, returns),
			unary(methodMessage, handler.Message, returns),
			bidi(methodStream, handler.stream),
		},
	}
}

func unary[H, M any](name string, handle func(H, context.Context, *M) (*M, error), returns bool) common.MethodInfo {
	return common.MethodInfo{
		Name:        name,
		Type:        constant.CallUnary,
		ReqInitFunc: func() any { return new(M) },
		MethodFunc: func(ctx context.Context, args []any, handler any) (any, error) {
			if returns {
				if err := returned(ctx); err != nil {
					return nil, err
				}
			}
			reply, err := handle(handler.(H), ctx, args[0].(*M))
			if err != nil {
				return nil, err
			}
			return triple_protocol.NewResponse(reply), nil
		},
	}
}
