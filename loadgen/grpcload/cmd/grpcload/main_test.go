package main

import (
	"bytes"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/rpcbench/rpcbench/loadgen/internal/command"
)

const check = "grpc.health.v1.Health/Check"

// serve serves health checks, and reflection.
func serve(t *testing.T, options ...grpc.ServerOption) (address string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := grpc.NewServer(options...)
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	reflection.Register(server)
	go server.Serve(listener) // returns when the server is stopped
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// certified is the option of a server with TLS, and the file of the authority.
func certified(t *testing.T) (grpc.ServerOption, string) {
	borrowed := httptest.NewTLSServer(nil)
	t.Cleanup(borrowed.Close)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: borrowed.Certificate().Raw})
	return grpc.Creds(credentials.NewServerTLSFromCert(&borrowed.TLS.Certificates[0])), written(t, string(text))
}

func written(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// run is the command with as many arguments, and a short load.
func run(t *testing.T, args ...string) (code int, out, said string) {
	var stdout, stderr bytes.Buffer
	args = append([]string{"-callers=2", "-for=50ms", "-quiet"}, args...)
	code = command.Run(t.Context(), new(protocol), args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// TestReadme runs the command of the document.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?s)go tool grpcload (.*?)\n` + "```").FindSubmatch(text)
	require.NotNil(t, line)
	short := strings.NewReplacer("\\\n", "", "127.0.0.1:50051", serve(t), "-rate=500 -for=30s", "-rate=5000 -for=300ms", "p99<200ms", "p99<20s")
	var args []string
	for i, part := range strings.Split(short.Replace(string(line[1])), "'") {
		if i%2 == 1 { // it was quoted
			args[len(args)-1] += part
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	var stdout, stderr bytes.Buffer
	assert.Zero(t, command.Run(t.Context(), new(protocol), args, &stdout, &stderr), stderr.String())
	assert.Contains(t, stdout.String(), " 0 failed")
}

// TestRuns of flags.
func TestRuns(t *testing.T) {
	plain := serve(t)
	option, authority := certified(t)
	secure := serve(t, option)
	body := written(t, `{"service": ""}`)
	targets := written(t, `
# two of one method
{"method": "grpc.health.v1.Health/Check", "name": "whole"}
{"method": "grpc.health.v1.Health/Check", "request": {"service": "none"}, "metadata": {"k": "v"}, "name": "one"}
`)
	for _, c := range []struct {
		about string
		args  []string
		code  int
		out   string // a regular expression
		said  string
	}{
		{"a method", []string{plain, check}, 0, ` 0 failed`, ""},
		{"a file is the request", []string{"-body=@" + body, plain, check}, 0, ` 0 failed`, ""},
		{"several targets", []string{"-targets=" + targets, "-require=errors{whole}=0", plain}, 0, `(?m)^one `, ""},
		{"a trusted server", []string{"-ca=" + authority, secure, check}, 0, ` 0 failed`, ""},
		{"any server is trusted", []string{"-insecure", secure, check}, 0, ` 0 failed`, ""},
		{"replies", []string{`-contains="status":"SERVING"`, "-metadata=k: v", plain, check}, 0, ` 0 failed`, ""},
		{"wrong replies", []string{`-contains=NOT`, plain, check}, 1, `× the reply does not contain "NOT"`, ""},
		{"a schema of another name", []string{"-proto=testdata/health.proto", "-I=testdata", plain, check}, 0, ` 0 failed`, ""},

		{"no method", []string{plain}, 2, "^$", "an address and a method are needed, as in localhost:50051 package.Service/Method, and 1 arguments are given"},
		{"a method beside targets", []string{"-targets=" + targets, plain, check}, 2, "^$", "one address is needed, as in localhost:50051, since -targets has the methods, and 2 arguments are given"},
		{"a body beside targets", []string{"-targets=" + targets, "-body={}", plain}, 2, "^$", "-body is of a method, and -targets has its own"},
		{"a body that is missing", []string{"-body=@none", plain, check}, 2, "^$", "-body: open none: no such file or directory"},
		{"no connections", []string{"-conns=0", plain, check}, 2, "^$", "-conns=0: must be more than 0"},
		{"metadata without a value", []string{"-metadata=k", plain, check}, 2, "^$", "must be as in authorization: Bearer x"},
		{"no certificates", []string{"-ca=main.go", secure, check}, 2, "^$", "-ca: main.go has no certificate in PEM"},
		{"no trust", []string{"-tls", secure, check}, 1, "^$", "name its authority with -ca, or trust every server with -insecure"},
		{"another method", []string{plain, "grpc.health.v1.Health/Heal"}, 1, "^$", "grpc.health.v1.Health has no method Heal: it has Check, List, Watch"},
	} {
		t.Run(c.about, func(t *testing.T) {
			code, out, said := run(t, c.args...)
			assert.Equal(t, c.code, code, said)
			assert.Regexp(t, c.out, out)
			assert.Contains(t, said, c.said)
		})
	}
}
