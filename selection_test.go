package rpcbench_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSelection lists the cases that a pattern and a set select.
func TestSelection(t *testing.T) {
	for _, c := range []struct{ about, pattern, set, want string }{
		{"a pattern that ends selects the variant with the fewest keys", "Echo/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100$", "all", "BenchmarkEcho/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100"},
		{"of every framework", "Echo/framework=arpc/transport=nbio/codec=protobuf/size=1KiB/conc=100$", "all", "BenchmarkEcho/framework=arpc/transport=nbio/codec=protobuf/size=1KiB/conc=100"},
		{"and one that goes on the others", "Echo/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100/profile=tuned", "all", "BenchmarkEcho/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100/profile=tuned"},
		{"protobuf is one variant of each framework that sends it, beside raw TCP and pollers", "Message", "protobuf", `BenchmarkMessage/framework=grpc/transport=h2/codec=protobuf/conc=100
BenchmarkMessage/framework=kitex/transport=pool/codec=protobuf/conc=100
BenchmarkMessage/framework=rpcx/transport=tcp/codec=protobuf/conc=100
BenchmarkMessage/framework=arpc/transport=net/codec=protobuf/conc=100
BenchmarkMessage/framework=connect/transport=h1/codec=protobuf/conc=100/profile=nogzip
BenchmarkMessage/framework=http/transport=h1/codec=protobuf/conc=100
BenchmarkMessage/framework=drpc/transport=tcp/codec=protobuf/conc=100
BenchmarkMessage/framework=ttrpc/transport=tcp/codec=protobuf/conc=100
BenchmarkMessage/framework=brpc/transport=baidu_std/codec=protobuf/conc=100
BenchmarkMessage/framework=netrpc/transport=tcp/codec=protobuf/conc=100
BenchmarkMessage/framework=tcp/transport=conn/codec=none/conc=100
BenchmarkMessage/framework=tcp/transport=mux/codec=none/conc=100
BenchmarkMessage/framework=gnet/transport=conn/codec=none/conc=100
BenchmarkMessage/framework=netpoll/transport=conn/codec=none/conc=100
BenchmarkMessage/framework=nbio/transport=conn/codec=none/conc=100`},
		{"beside has in addition what is not ranked", "Message/framework=(kitex|rpcx|arpc|connect)", "beside", `BenchmarkMessage/framework=kitex/transport=pool/codec=protobuf/conc=100
BenchmarkMessage/framework=kitex/transport=mux/codec=protobuf/conc=100
BenchmarkMessage/framework=kitex/transport=mux/codec=protobuf/conc=100/profile=two-conns
BenchmarkMessage/framework=rpcx/transport=tcp/codec=protobuf/conc=100
BenchmarkMessage/framework=rpcx/transport=tcp/codec=protobuf/conc=100/profile=tuned
BenchmarkMessage/framework=arpc/transport=net/codec=protobuf/conc=100
BenchmarkMessage/framework=arpc/transport=net/codec=protobuf/conc=100/profile=tuned
BenchmarkMessage/framework=arpc/transport=net/codec=protobuf/conc=100/profile=nodelay
BenchmarkMessage/framework=connect/transport=h1/codec=protobuf/conc=100/profile=nogzip
BenchmarkMessage/framework=connect/transport=h1/codec=protobuf/conc=100`},
	} {
		out, err := exec.CommandContext(t.Context(), os.Args[0], "-cases", "-test.bench="+c.pattern, "-set="+c.set).Output()
		require.NoError(t, err, "%s", out)
		assert.Equal(t, c.want, strings.TrimSpace(string(out)), c.about)
	}
}
