package dubbo

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	dubboclient "dubbo.apache.org/dubbo-go/v3/client"
	_ "dubbo.apache.org/dubbo-go/v3/filter/otel/trace"
	"dubbo.apache.org/dubbo-go/v3/global"
	dubboserver "dubbo.apache.org/dubbo-go/v3/server"
	"dubbo.apache.org/dubbo-go/v3/tls"

	"github.com/rpcbench/rpcbench/frameworks/dubbo/internal/tracing"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// files are certificates in files, which dubbo-go reads when it makes a server or a client.
// The zero value is none.
type files struct{ dir string }

// writeFiles writes the certificates of a stack; without TLS there are none.
func writeFiles(s layer.Stack) (f files, err error) {
	c := s.Certificates()
	if c == nil {
		return f, nil
	}
	if f.dir, err = os.MkdirTemp("", "rpcbench-dubbo-"); err != nil {
		return f, err
	}
	for name, pem := range map[string][]byte{
		authority: c.Authority, serverCert: c.ServerCert, serverKey: c.ServerKey, clientCert: c.ClientCert, clientKey: c.ClientKey,
	} {
		err = errors.Join(err, os.WriteFile(f.path(name), pem, 0o600))
	}
	return f, err
}

// The names of the files.
const (
	authority  = "authority.pem"
	serverCert = "server.pem"
	serverKey  = "server-key.pem"
	clientCert = "client.pem"
	clientKey  = "client-key.pem"
)

func (f files) path(name string) string { return filepath.Join(f.dir, name) }

// remove removes the files.
func (f files) remove() {
	if f.dir != "" {
		os.RemoveAll(f.dir)
	}
}

// serverLayers returns the options of a server. A server with an authority wants certificates
// of its clients.
func serverLayers(s layer.Stack, f files) (options []dubboserver.ServerOption) {
	if s.TLS() {
		secured := []tls.Option{tls.WithCertFile(f.path(serverCert)), tls.WithKeyFile(f.path(serverKey))}
		if s.Has(layer.MTLS) {
			secured = append(secured, tls.WithCACertFile(f.path(authority)))
		}
		options = append(options, dubboserver.WithServerTLSOption(secured...))
	}
	if s.Has(layer.OTel) {
		tracing.SetGlobals()
		options = append(options, dubboserver.SetServerOtel(traced()))
	}
	return options
}

// clientLayers returns the options of a client.
func clientLayers(s layer.Stack, f files) (options []dubboclient.ClientOption) {
	if s.TLS() {
		secured := []tls.Option{tls.WithCACertFile(f.path(authority)), tls.WithServerName(s.Certificates().Name)}
		if s.Has(layer.MTLS) {
			secured = append(secured, tls.WithCertFile(f.path(clientCert)), tls.WithKeyFile(f.path(clientKey)))
		}
		options = append(options, dubboclient.WithClientTLSOption(secured...))
	}
	if s.Has(layer.OTel) {
		tracing.SetGlobals()
		options = append(options, dubboclient.SetClientOtel(traced()))
	}
	if n := s.Chain; n > 0 {
		options = append(options, dubboclient.WithClientFilter(filtersOfClient(n)))
	}
	return options
}

// under returns what gives a client's call or stream a parent, if it is traced.
func under(s layer.Stack) func(context.Context) context.Context {
	if s.Has(layer.OTel) {
		return tracing.Under
	}
	return func(ctx context.Context) context.Context { return ctx }
}

func traced() *global.OtelConfig {
	enable, c := true, global.DefaultOtelConfig()
	c.TracingConfig.Enable = &enable
	return c
}
