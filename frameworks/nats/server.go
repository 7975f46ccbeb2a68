package nats

import (
	"errors"
	"fmt"
	"net"
	"strconv"

	broker "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/nats/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// running is a broker with the service.
type running struct {
	broker  *broker.Server
	service *nats.Conn
}

func serve(addr string, s layer.Stack) (framework.Server, error) {
	options, err := optionsOf(addr, s)
	if err != nil {
		return nil, err
	}
	b, err := broker.NewServer(options)
	if err != nil {
		return nil, err
	}
	go b.Start()
	if !b.ReadyForConnections(dialTimeout) {
		b.Shutdown()
		return nil, fmt.Errorf("nats: the broker does not listen on %s", addr)
	}
	c, err := register(b.Addr().String(), s)
	if err != nil {
		b.Shutdown()
		return nil, err
	}
	return &running{b, c}, nil
}

// optionsOf are the broker's.
func optionsOf(addr string, s layer.Stack) (*broker.Options, error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = broker.RANDOM_PORT // 0 is NATS's own port
	}
	return &broker.Options{
		Host: host, Port: port, NoLog: true, NoSigs: true,
		MaxPayload: maxPayload, MaxPending: maxPending,
		TLSConfig: s.ServerTLS(), TLSVerify: s.Has(layer.MTLS), TLSTimeout: dialTimeout.Seconds(),
	}, nil
}

// register connects the service to the broker.
func register(addr string, s layer.Stack) (*nats.Conn, error) {
	c, err := connect(addr, s, framework.DialOptions{}, new(dialer))
	if err != nil {
		return nil, err
	}
	if err := endpoints(c); err != nil {
		c.Close()
		return nil, err
	}
	return c, c.Flush() // the broker then has the subscriptions
}

func endpoints(c *nats.Conn) error {
	s, err := micro.AddService(c, micro.Config{Name: "Bencher", Version: "1.0.0"})
	if err != nil {
		return err
	}
	methods := s.AddGroup(service)
	limits := micro.WithEndpointPendingLimits(-1, -1) // none
	return errors.Join(
		methods.AddEndpoint(methodEcho, handlerOf(handleEcho), limits),
		methods.AddEndpoint(methodMessage, handlerOf(handleMessage), limits))
}

// Addr implements framework.Server.
func (r *running) Addr() string { return r.broker.Addr().String() }

// Close implements framework.Server.
func (r *running) Close() error {
	r.service.Close()
	r.broker.Shutdown()
	return nil
}

// native is a pointer to a generated message.
type native[T any] interface {
	*T
	proto.Message
}

// handlerOf answers requests. An error is in the headers of its reply, as micro has it.
func handlerOf[T any, M native[T]](handle func(M) error) micro.HandlerFunc {
	return func(r micro.Request) {
		m := M(new(T))
		err := proto.Unmarshal(r.Data(), m)
		if err == nil {
			err = handle(m)
		}
		var reply []byte
		if err == nil {
			reply, err = proto.Marshal(m)
		}
		if err != nil {
			r.Error("500", err.Error(), nil) // fails only if the broker has gone
			return
		}
		r.Respond(reply, returned(r)...)
	}
}

func handleEcho(m *pb.EchoMessage) (err error) {
	m.Msg, err = handler.Echo(m.GetAction(), m.GetMsg())
	return err
}

func handleMessage(m *pb.BenchMessage) error {
	m.Field1, m.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return nil
}
