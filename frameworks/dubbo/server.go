package dubbo

import (
	"fmt"
	"net"
	"time"

	"dubbo.apache.org/dubbo-go/v3/common/constant"
	"dubbo.apache.org/dubbo-go/v3/common/extension"
	"dubbo.apache.org/dubbo-go/v3/global"
	"dubbo.apache.org/dubbo-go/v3/protocol"
	dubboserver "dubbo.apache.org/dubbo-go/v3/server"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

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
