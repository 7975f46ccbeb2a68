package dubbo

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"dubbo.apache.org/dubbo-go/v3/common"
	"dubbo.apache.org/dubbo-go/v3/common/constant"
	"dubbo.apache.org/dubbo-go/v3/common/extension"
	"dubbo.apache.org/dubbo-go/v3/global"
	"dubbo.apache.org/dubbo-go/v3/graceful_shutdown"
	"dubbo.apache.org/dubbo-go/v3/protocol"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple"
	"dubbo.apache.org/dubbo-go/v3/protocol/triple/triple_protocol"
	dubboserver "dubbo.apache.org/dubbo-go/v3/server"
	getty "github.com/apache/dubbo-getty"
	"github.com/dubbogo/gost/log/logger"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// quiet turns off dubbo-go's log, which goes to the standard output, and keeps it from
// handling signals. It applies to the whole process.
var quiet = sync.OnceFunc(func() {
	logger.SetLogger(silence{})
	getty.SetLogger(silence{})
	graceful_shutdown.Init(graceful_shutdown.WithoutInternalSignal())
})

// silence is a logger that writes nothing.
type silence struct{}

func (silence) Info(...any)           {}
func (silence) Warn(...any)           {}
func (silence) Error(...any)          {}
func (silence) Debug(...any)          {}
func (silence) Fatal(...any)          {}
func (silence) Infof(string, ...any)  {}
func (silence) Warnf(string, ...any)  {}
func (silence) Errorf(string, ...any) {}
func (silence) Debugf(string, ...any) {}
func (silence) Fatalf(string, ...any) {}

// setup is the protocol that both sides use, and the service on it.
type setup struct {
	protocol string
	option   protocol.Option
	register func(*dubboserver.Server) error
	layers   framework.Stack
}

func pojosOverDubbo() setup {
	return setup{constant.DubboProtocol, protocol.WithDubbo(), func(s *dubboserver.Server) error {
		return s.RegisterService(&Bencher[EchoMessage, BenchMessage]{pojos}, dubboserver.WithInterface(service))
	}, framework.Stack{}}
}

func triples(layers framework.Stack) setup {
	return setup{constant.TriProtocol, protocol.WithTriple(
		triple.WithMaxServerRecvMsgSize(strconv.Itoa(maxPackage)),
		triple.WithMaxServerSendMsgSize(strconv.Itoa(maxPackage)),
	), func(s *dubboserver.Server) error {
		return s.Register(&Bencher[pb.EchoMessage, pb.BenchMessage]{protobufs}, tripleService())
	}, layers}
}

// tripleService describes the service as protoc-gen-go-triple would generate it.
func tripleService() *common.ServiceInfo {
	type handler = *Bencher[pb.EchoMessage, pb.BenchMessage]
	return &common.ServiceInfo{
		InterfaceName: service,
		ServiceType:   handler(nil),
		Methods: []common.MethodInfo{
			unary(methodEcho, handler.Echo),
			unary(methodMessage, handler.Message),
		},
	}
}

func unary[H, M any](name string, handle func(H, context.Context, *M) (*M, error)) common.MethodInfo {
	return common.MethodInfo{
		Name:        name,
		Type:        constant.CallUnary,
		ReqInitFunc: func() any { return new(M) },
		MethodFunc: func(ctx context.Context, args []any, handler any) (any, error) {
			reply, err := handle(handler.(H), ctx, args[0].(*M))
			if err != nil {
				return nil, err
			}
			return triple_protocol.NewResponse(reply), nil
		},
	}
}

// server is a running dubbo-go server of one protocol.
type server struct {
	addr     string
	protocol string
}

// serve starts a server at addr. dubbo-go does not report when and where it listens. If
// it cannot listen, it panics or only logs it.
func serve(addr string, s setup) (framework.Server, error) {
	quiet()
	addr, port, err := freePort(addr)
	if err != nil {
		return nil, err
	}
	certificates, err := writeFiles(s.layers)
	defer certificates.remove()
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(addr)
	srv, err := dubboserver.NewServer(append(serverLayers(s.layers, certificates),
		dubboserver.SetServerApplication(application()),
		dubboserver.WithServerProtocol(s.option, protocol.WithIp(host), protocol.WithPort(port)),
	)...)
	if err != nil {
		return nil, err
	}
	if err := s.register(srv); err != nil {
		return nil, err
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve() }()
	if err := awaitListener(addr, failed); err != nil {
		return nil, err
	}
	return &server{addr, s.protocol}, nil
}

// application has the metadata stored elsewhere. Otherwise dubbo-go would serve it on
// all addresses, and on the port of the Dubbo protocol.
func application() *global.ApplicationConfig {
	a := global.DefaultApplicationConfig()
	a.MetadataType = constant.RemoteMetadataStorageType
	return a
}

// freePort replaces port 0 by a free port.
func freePort(addr string) (string, int, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", 0, err
	}
	defer l.Close()
	return l.Addr().String(), l.Addr().(*net.TCPAddr).Port, nil
}

// startTimeout bounds the time until dubbo-go listens.
const startTimeout = 10 * time.Second

func awaitListener(addr string, failed <-chan error) error {
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		if c, err := net.Dial("tcp", addr); err == nil {
			return c.Close()
		}
		select {
		case err := <-failed:
			return fmt.Errorf("dubbo: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return fmt.Errorf("dubbo: nobody listens on %s after %v", addr, startTimeout)
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server.
func (s *server) Close() error {
	extension.GetProtocol(s.protocol).Destroy()
	return nil
}
