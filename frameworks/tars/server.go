package tars

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/TarsCloud/TarsGo/tars"
	"github.com/TarsCloud/TarsGo/tars/protocol/codec"
	"github.com/TarsCloud/TarsGo/tars/protocol/res/requestf"
	"github.com/TarsCloud/TarsGo/tars/util/grace"
	"github.com/TarsCloud/TarsGo/tars/util/tools"

	messages "github.com/rpcbench/rpcbench/codecs/rpc/tars"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
)

// configuration is the configuration of a TarsGo server. Without a registry, nothing
// more is needed.
const configuration = `<tars>
<application>
<server>
app=Rpcbench
server=Bencher
logLevel=ERROR
maxPackageLength=%d
tcpnodelay=%t
<BencherAdapter>
endpoint=tcp -h %s -p %s -t 60000
servant=` + servant + `
protocol=tars
</BencherAdapter>
</server>
</application>
</tars>
`

// startTimeout bounds the time until TarsGo listens.
const startTimeout = 10 * time.Second

// server is the TarsGo server of this process. There can be only one.
type server struct{ addr string }

func serve(addr string, s setup) (framework.Server, error) {
	if err := configure(addr, s.noDelay); err != nil {
		return nil, err
	}
	tars.AddServant(dispatcher{}, nil, servant)
	go tars.Run()
	listening, err := awaitListener("tcp_" + addr)
	if err != nil {
		return nil, err
	}
	return &server{listening}, nil
}

// configure writes the configuration to a file, from which TarsGo reads it.
func configure(addr string, noDelay bool) error {
	host, port, err := split(addr)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp("", "rpcbench-tars-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	fmt.Fprintf(f, configuration, maxPackage, noDelay, host, port)
	if err := f.Close(); err != nil {
		return err
	}
	tars.ServerConfigPath = f.Name()
	if len(tars.GetServerConfig().Adapters) == 0 {
		return errors.New("tars: it did not read its configuration: a process can have one server")
	}
	return nil
}

// awaitListener waits for the listener of a key and returns its address. It finds the
// listener among those that TarsGo would pass on to a process that replaces it.
func awaitListener(key string) (addr string, err error) {
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for name, file := range grace.GetAllListenFiles() {
			if name == grace.InheritFdPrefix+"_"+key {
				addr, err = addrOf(file)
			}
			file.Close()
		}
		if addr != "" || err != nil {
			return addr, err
		}
	}
	return "", fmt.Errorf("tars: no listener within %v", startTimeout)
}

func addrOf(listener *os.File) (string, error) {
	l, err := net.FileListener(listener)
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// Close implements framework.Server. It does nothing, because TarsGo stops only by a
// signal, and then takes seconds. It ends with its process.
func (s *server) Close() error { return nil }

// dispatcher calls handlers as generated code does.
type dispatcher struct{}

// Dispatch is called by TarsGo for each request.
func (dispatcher) Dispatch(_ context.Context, _ any, req *requestf.RequestPacket, resp *requestf.ResponsePacket, _ bool) error {
	in := codec.NewReader(tools.Int8ToByte(req.SBuffer))
	var reply messages.Message
	var err error
	switch req.SFuncName {
	case methodEcho:
		m := new(messages.EchoMessage)
		if err = messages.Read(in, m, 1); err == nil {
			reply, err = kind.HandleEcho(m)
		}
	case methodMessage:
		m := new(messages.BenchMessage)
		if err = messages.Read(in, m, 1); err == nil {
			reply, err = kind.HandleMessage(m)
		}
	default:
		err = errors.New("func mismatch")
	}
	if err != nil {
		return err
	}
	out := codec.NewBuffer()
	if err := messages.Write(out, reply, 0); err != nil {
		return err
	}
	*resp = requestf.ResponsePacket{
		IVersion: req.IVersion, IRequestId: req.IRequestId, SBuffer: tools.ByteToInt8(out.ToBytes()),
		Context: metadata.OwnOf(req.Context),
	}
	return nil
}
