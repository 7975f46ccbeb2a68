package rpcbench_test

import (
	"bufio"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// TestConformance proves given servers, for the tests of this file. What this process
// would start is proven by go test ./frameworks/NAME.
func TestConformance(t *testing.T) {
	if flag.Lookup("server").Value.String() == "" {
		t.Skip("only with -server")
	}
	suite.Conformance(t)
}

// prove runs TestConformance in another process.
func prove(t *testing.T, args ...string) string {
	out, errOut, code := suitetest.Run(t, append([]string{"-test.v", "-test.run=^TestConformance$"}, args...)...)
	assert.Zero(t, code, "%s%s", out, errOut)
	return out
}

// TestServersOfOthers gives servers that are running already to -server: those
// of other frameworks that speak the same protocol.
// Slow: conformance waits for deadlines, and for servers that are silent.
func TestServersOfOthers(t *testing.T) {
	t.Parallel()
	const (
		grpc = "framework=grpc/transport=h2/codec=protobuf"
		wide = grpc + "/window=16MiB"
		conn = "framework=tcp/transport=conn"
		none = "^$"
	)
	skip := documentedAt(t, "frameworks/PROTOCOL.md", `-skip '(Conformance////\([^']+)'`)
	wider := documentedAt(t, "frameworks/brpc/README.md", `-skip '(Conformance[^']+)'`)
	for _, c := range []struct{ about, server, keys, skip string }{
		{"connect's server speaks gRPC, too", "framework=connect/transport=h2c/codec=protobuf", grpc, none},
		{"and kitex's does but for the service of the stream", "framework=kitex/transport=grpc/codec=protobuf", grpc, skip},
		{"a variant with a further key, as brpc's README has it", "framework=kitex/transport=grpc/codec=protobuf", wide, wider},
		{"a server knows nothing of how its client shares connections", "framework=tcp/transport=mux/codec=none", conn, none},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out := prove(t, "-test.skip="+c.skip, "-server="+c.keys+"@"+suitetest.Start(t, c.server).Addr)
			assert.Contains(t, out, "--- PASS: TestConformance/"+c.keys)
			assert.Equal(t, c.skip == none, strings.Contains(out, "/streams/ping-pong"), "what is skipped does not run")
		})
	}
}

// documentedAt is what a document has at the place of a group.
func documentedAt(t *testing.T, file, pattern string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	found := regexp.MustCompile(pattern).FindStringSubmatch(string(text))
	require.Len(t, found, 2, "%s: %s", file, pattern)
	return found[1]
}

// TestStrangers gives each framework servers that are not of its protocol. An echo server is
// a right one of raw TCP.
func TestStrangers(t *testing.T) {
	t.Parallel()
	for _, v := range frameworks {
		if !v.Recommended || v.Kind == framework.Bare {
			continue
		}
		t.Run(v.ID(), func(t *testing.T) {
			t.Parallel()
			suite.Strangers(t, v)
		})
	}
}

// TestAnEchoServer is refused before anything is measured, where what is sent back would pass
// for a reply.
func TestAnEchoServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			go io.Copy(c, c) // until the client closes it
		}
	}()
	for _, keys := range []string{"framework=brpc/transport=baidu_std/codec=protobuf", "framework=rpcx/transport=tcp/codec=protobuf", "framework=netrpc/transport=tcp/codec=gob"} {
		out, errOut, code := suitetest.Run(t, "-test.run=^$", "-test.bench=Echo", "-test.benchtime=1x", "-size=1KiB", "-watchdog=2s", "-server="+keys+"@"+l.Addr().String())
		assert.Equal(t, 1, code)
		assert.Contains(t, errOut, keys+" at "+l.Addr().String()+": it answers a request that has to fail, Echo with the action fail, as any other")
		assert.Empty(t, out)
	}
}

// TestServersInOtherLanguages holds PROTOCOL.md to what it promises: that a server can be
// written from it. These two were.
// Slow: conformance waits for deadlines, and for servers that are silent.
func TestServersInOtherLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ about, runs, file, debian, keys, lacks string }{
		{"Python", "python3", "testdata/peers/python/server.py", "python3", "framework=ttrpc/transport=tcp/codec=protobuf", "Workload/workload=cpu"},
		{"JavaScript", "node", "testdata/peers/node/server.js", "nodejs", "framework=connect/transport=h1/codec=json/profile=nogzip", "Echo/size=64B:4KiB"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(c.runs); err != nil {
				t.Skipf("did not run: a server in %s: apt-get install %s", c.about, c.debian)
			}
			addr := listening(t, c.runs, c.file, "0")
			given := "-server=" + c.keys + "@" + addr
			out := prove(t, given)
			assert.Contains(t, out, "--- PASS: TestConformance/"+c.keys+"/unknown_method")
			for part, lacks := range map[string]bool{"streams": c.about == "Python", "reply_sizes": c.about == "JavaScript"} {
				assert.Equal(t, lacks, strings.Contains(out, "--- SKIP: TestConformance/"+c.keys+"/"+part), part)
			}

			run := []string{"-test.run=^$", "-test.bench=Echo|Message|Workload", "-test.benchtime=50x", "-size=1KiB,64B:4KiB", "-conc=10", "-workload=cpu"}
			text, errOut, code := suitetest.Run(t, append(run, given)...)
			assert.Zero(t, code, errOut)
			assert.Regexp(t, `(?m)^BenchmarkEcho/.*\s0 errors`, text)
			assert.Regexp(t, `(?m)^BenchmarkMessage/.*\s0 errors`, text)
			assert.Contains(t, text, "# skipped: "+c.lacks+" of "+c.keys+" at "+addr+": ")

			wrong := "-server=" + c.keys + "@" + listening(t, c.runs, c.file, "0", "wrong")
			text, errOut, code = suitetest.Run(t, append(run, wrong)...)
			assert.Equal(t, 1, code)
			assert.Contains(t, errOut, `field1 is "wrong" and field2 100`)
			assert.Empty(t, text)
		})
	}
}

// listening starts a server that says in its first line where it listens.
func listening(t *testing.T, name string, args ...string) (addr string) {
	cmd := exec.CommandContext(t.Context(), name, args...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	require.True(t, ok, line)
	return addr
}
