package grpcload_test

import (
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/interop/grpc_testing"
	"google.golang.org/grpc/metadata"

	"github.com/rpcbench/rpcbench/loadgen/grpcload"
)

// TestWrong: what is wrong is said before the load, in a sentence.
func TestWrong(t *testing.T) {
	_, address := serve(t)
	for _, c := range []struct {
		about  string
		cfg    grpcload.Config
		target grpcload.Target
		says   string
	}{
		{"a URL", grpcload.Config{Address: "http://localhost:1"}, grpcload.Target{}, `the address "http://localhost:1" is not of a host and a port: it looks like localhost:50051`},
		{"no port", grpcload.Config{Address: "localhost"}, grpcload.Target{}, `the address "localhost" is not of a host and a port: it looks like localhost:50051`},
		{"connections", grpcload.Config{Conns: -1}, grpcload.Target{}, "-1 connections cannot be made: 0 stands for 1"},
		{"two schemas", grpcload.Config{Schema: grpcload.Schema{Descriptors: "a", Protos: []string{"b"}}}, grpcload.Target{}, "the schema is a descriptor set and .proto files: give one of them"},
		{"imports of nothing", grpcload.Config{Schema: grpcload.Schema{Imports: []string{"."}}}, grpcload.Target{}, "there are directories of imports, but no .proto file that imports"},
		{"a key in upper case", grpcload.Config{Metadata: metadata.MD{"Key": nil}}, grpcload.Target{}, `the metadata key "Key" has other characters than a-z, 0-9, ., - and _`},
		{"a key of gRPC", grpcload.Config{Metadata: metadata.Pairs("grpc-timeout", "1S")}, grpcload.Target{}, `the metadata key "grpc-timeout" is gRPC's own`},
		{"a value", grpcload.Config{}, grpcload.Target{Metadata: metadata.Pairs("key", "é")}, `Targets[0]: the value "é" of the metadata key "key" is not printable ASCII: a key that ends in -bin may have any`},
		{"a host that does not resolve", grpcload.Config{Address: "no..host:1"}, grpcload.Target{}, "the host no..host does not resolve: lookup no..host: no such host"},

		{"no service", grpcload.Config{}, grpcload.Target{Method: "a.B/C"}, "Targets[0]: there is no service a.B: there is grpc.reflection.v1.ServerReflection, grpc.reflection.v1alpha.ServerReflection, grpc.testing.TestService"},
		{"a message", grpcload.Config{}, grpcload.Target{Method: "grpc.testing.SimpleRequest/C"}, "Targets[0]: there is no service grpc.testing.SimpleRequest: there is grpc.reflection.v1.ServerReflection, grpc.reflection.v1alpha.ServerReflection, grpc.testing.TestService"},
		{"no method", grpcload.Config{}, grpcload.Target{Method: "grpc.testing.TestService/C", Where: "targets:7"}, "targets:7: grpc.testing.TestService has no method C: it has CacheableUnaryCall, EmptyCall, FullDuplexCall, HalfDuplexCall, StreamingInputCall, StreamingOutputCall, UnaryCall, UnimplementedCall"},
		{"no slash", grpcload.Config{}, grpcload.Target{Method: "C"}, `Targets[0]: "C" is no method: it looks like package.Service/Method; the services are grpc.reflection.v1.ServerReflection, grpc.reflection.v1alpha.ServerReflection, grpc.testing.TestService`},
		{"a stream of requests", grpcload.Config{}, grpcload.Target{Method: "grpc.testing.TestService/FullDuplexCall"}, "Targets[0]: grpc.testing.TestService/FullDuplexCall takes a stream of requests: only methods with one request can be called"},
		{"no JSON", grpcload.Config{}, grpcload.Target{Method: unary, Request: "{\n]"}, "Targets[0]: the request is no grpc.testing.SimpleRequest: syntax error (line 2:1): unexpected token ]"},
		{"no field", grpcload.Config{}, grpcload.Target{Method: unary, Request: `{"size": 1}`}, `Targets[0]: the request is no grpc.testing.SimpleRequest: (line 1:2): unknown field "size"`},
		{"no number", grpcload.Config{}, grpcload.Target{Method: unary, Request: `{"responseSize": "x"}`}, `Targets[0]: the request is no grpc.testing.SimpleRequest: (line 1:18): invalid value for int32 field responseSize: "x"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			if c.cfg.Address == "" {
				c.cfg.Address = address
			}
			c.cfg.Targets = []grpcload.Target{c.target}
			refuses(t, c.cfg, c.says)
		})
	}
	names := make([]grpcload.Target, 257)
	for i := range names {
		names[i].Name = strconv.Itoa(i)
	}
	refuses(t, grpcload.Config{Address: address, Targets: names}, "the targets have 257 names: at most 256 have results of their own, so give some the same")
	refuses(t, grpcload.Config{Address: address}, "there is no target: name a method to call")
}

func refuses(t *testing.T, cfg grpcload.Config, says string) {
	t.Helper()
	_, err := grpcload.Dial(t.Context(), cfg)
	require.Error(t, err)
	assert.Equal(t, "grpcload: "+says, strings.ReplaceAll(err.Error(), "\u00a0", " "))
}

// TestWrongFiles: a file with a schema can be wrong in many ways.
func TestWrongFiles(t *testing.T) {
	text := func(text string) string { return written(t, "x.proto", text) }
	for _, c := range []struct {
		about  string
		schema grpcload.Schema
		says   string
	}{
		{"missing", grpcload.Schema{Descriptors: "none"}, "open none: no such file or directory"},
		{"no descriptor set", grpcload.Schema{Descriptors: "wrong_test.go"}, "wrong_test.go is no descriptor set: make it with protoc --include_imports -o FILE"},
		{"without imports", grpcload.Schema{Descriptors: descriptors(t, grpc_testing.File_grpc_testing_test_proto, false)}, "set.binpb is without grpc/testing/empty.proto, which grpc/testing/test.proto imports: make it with protoc --include_imports -o FILE"},
		{"no service", grpcload.Schema{Descriptors: descriptors(t, grpc_testing.File_grpc_testing_empty_proto, true)}, "set.binpb: it declares no service"},
		{"a missing .proto file", grpcload.Schema{Protos: []string{"testdata/none.proto"}}, "open testdata/none.proto: no such file or directory: the directories of imports are testdata"},
		{"a missing import", grpcload.Schema{Protos: []string{text("import \"none.proto\";")}}, "/none.proto: no such file or directory: the directories of imports are "},
		{"a mistake", grpcload.Schema{Protos: []string{text("syntax = 3;")}}, "grpcload: x.proto:1:10: syntax error: unexpected int literal, expecting string literal"},
		{"no service in a .proto file", grpcload.Schema{Protos: []string{"testdata/messages.proto"}}, "testdata/messages.proto: it declares no service"},
	} {
		t.Run(c.about, func(t *testing.T) {
			_, err := grpcload.Dial(t.Context(), grpcload.Config{Address: "127.0.0.1:1", Schema: c.schema, Targets: []grpcload.Target{{Method: unary}}})
			assert.ErrorContains(t, err, c.says)
		})
	}
}

// website starts a server of HTTP/1.
func website(t *testing.T, start func(*httptest.Server)) (address string) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	start(server)
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// TestWrongServers: what answers may be no gRPC server, or not without TLS, or not with it.
func TestWrongServers(t *testing.T) {
	option, trusted := certified(t)
	_, plain := serve(t)
	_, secure := serve(t, option)
	_, silent := serveWith(t, func(*grpc.Server) {})
	web, secureWeb := website(t, (*httptest.Server).Start), website(t, (*httptest.Server).StartTLS)
	const gone = "127.0.0.1:1" // nobody listens there
	for _, c := range []struct {
		about, address string
		tls            *tls.Config
		says           string
	}{
		{"nobody", gone, nil, "no connection to " + gone + ": dial tcp " + gone + ": connect: connection refused"},
		{"a web server", web, nil, web + ` does not speak HTTP/2: its answer begins with "HTTP/1.1 "`},
		{"a web server with TLS", secureWeb, nil, secureWeb + " does not speak HTTP/2 without TLS: if its clients use TLS, connect with TLS"},
		{"a web server over TLS", secureWeb, trusted, secureWeb + " speaks TLS, but not HTTP/2 over it (ALPN h2)"},
		{"a server with TLS called without", secure, nil, secure + " does not speak HTTP/2 without TLS: if its clients use TLS, connect with TLS"},
		{"a server without TLS called with TLS", plain, trusted, plain + " does not speak TLS: connect to it without"},
		{"a server that is not trusted", secure, &tls.Config{}, secure + ": its certificate is not trusted: x509: certificate signed by unknown authority"},
		{"a server of another name", secure, &tls.Config{RootCAs: trusted.RootCAs, ServerName: "other"}, secure + ": its certificate is not trusted: x509: certificate is valid for example.com, *.example.com, not other"},
		{"a server without reflection", silent, nil, "the server has no reflection, which would tell its methods: give a descriptor set or .proto files"},
	} {
		t.Run(c.about, func(t *testing.T) {
			refuses(t, grpcload.Config{Address: c.address, TLS: c.tls, Targets: []grpcload.Target{{Method: unary}}}, c.says)
		})
	}
}
