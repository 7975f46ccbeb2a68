package frozen

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/smallnest/rpcx/log"
	"github.com/smallnest/rpcx/protocol"
	"github.com/smallnest/rpcx/server"
	"github.com/smallnest/rpcx/share"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/frameworks/rpcx/frozen/internal/pb"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/count"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
)

// Names of the service and of its methods.
const (
	servicePath   = "Bencher"
	methodEcho    = "Echo"
	methodMessage = "Message"
	methodUnknown = "Unknown"
)

// prepare turns off rpcx's log, which goes to the standard output, limits messages as
// today's adapter does, and replaces serializers. All of it is global.
var prepare = sync.OnceFunc(func() {
	log.SetDummyLogger()
	protocol.MaxMessageLength = MaxMessage + MaxMessage/2
	share.RegisterCodec(protocol.SerializeNone, refused{})
	share.RegisterCodec(protocol.Thrift, refused{})
})

// refused is in place of the serializers that panic at the messages of others. The serializer
// is named in each message, and a flipped bit can name another.
type refused struct{}

var errRefused = errors.New("rpcx: no serializer of these messages")

// Encode implements rpcx's codec.Codec.
func (refused) Encode(any) ([]byte, error) { return nil, errRefused }

// Decode implements rpcx's codec.Codec.
func (refused) Decode([]byte, any) error { return errRefused }

// running is a running server.
type running struct {
	rpcx     *server.Server
	listener net.Listener
}

func serve(addr string) (framework.Server, error) {
	prepare()
	x := server.NewServer()
	if err := x.RegisterName(servicePath, new(Bencher), ""); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	go x.ServeListener("tcp", l) // returns an error when the server is closed
	return &running{x, l}, nil
}

// Addr implements framework.Server.
func (r *running) Addr() string { return r.listener.Addr().String() }

// Close implements framework.Server.
func (r *running) Close() error {
	err := r.rpcx.Close()
	r.listener.Close() // which rpcx has closed, unless it had not begun to listen
	return err
}

// Bencher is the service. It is exported because rpcx requires it.
type Bencher struct{}

// Echo sends the request back.
func (*Bencher) Echo(_ context.Context, req, reply *pb.EchoMessage) error {
	msg, err := handler.Echo(req.GetAction(), req.GetMsg())
	if err != nil {
		return err
	}
	reply.Action, reply.Msg = req.GetAction(), msg
	return nil
}

// Message answers with what was requested.
func (*Bencher) Message(_ context.Context, req, reply *pb.BenchMessage) error {
	assign(reply, req)
	reply.Field1, reply.Field2 = proto.String(message.AnswerField1), proto.Int32(message.AnswerField2)
	count.Call()
	return nil
}
