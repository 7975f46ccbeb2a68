package proxy

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/proxy/fake"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// envHold has this test binary start a proxy with its file in that directory, print its
// address, and wait.
const envHold = "PROXY_HOLD"

func TestMain(m *testing.M) {
	dir := os.Getenv(envHold)
	switch {
	case fake.Is():
		os.Exit(fake.Main())
	case dir == "":
		os.Exit(m.Run())
	}
	p, err := Start(Config{Program: HAProxy, Server: "127.0.0.1:1", Dir: dir})
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Stdout.WriteString(p.Addr() + "\n")
	time.Sleep(time.Minute)
}

// path returns a directory for the PATH that has the fake alone.
func path(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, fake.Install(dir))
	return dir
}

// server sends back what it is sent.
func server(t *testing.T) string {
	addr, _ := tester.Serve(t, func(c net.Conn) { io.Copy(c, c) })
	return addr
}

// TestPassesOn has the fake and the programs that this machine has.
func TestPassesOn(t *testing.T) {
	for _, c := range []struct{ about, program, path string }{
		{"the fake", HAProxy, path(t)},
		{"HAProxy", HAProxy, os.Getenv("PATH")},
		{"nginx", NGINX, os.Getenv("PATH")},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			if _, err := find(c.program, c.path); err != nil {
				t.Skip(err)
			}
			require.NoError(t, Try(Config{Program: c.program, Dir: t.TempDir()}))
			version, err := Version(c.program)
			assert.NoError(t, err)
			assert.Regexp(t, `^\S.*\d|fake$`, version)

			p, err := Start(Config{Program: c.program, Server: server(t), Dir: t.TempDir()})
			require.NoError(t, err)
			conn, err := net.Dial("tcp", p.Addr())
			require.NoError(t, err)
			defer conn.Close()
			for range 100 {
				_, err = conn.Write(make([]byte, 64<<10))
				require.NoError(t, err)
				_, err = io.ReadFull(conn, make([]byte, 64<<10))
				require.NoError(t, err)
			}
			cpu, err := p.CPU()
			assert.NoError(t, err)
			assert.Positive(t, cpu)
			assert.NoError(t, p.Err())

			require.NoError(t, p.Close())
			_, err = conn.Read(make([]byte, 1))
			assert.Error(t, err, "its connections end with it")
			assert.ErrorContains(t, p.Err(), "the proxy ended: signal: killed")
		})
	}
}

// TestEndsWithItsParent kills a process that has started a proxy.
func TestEndsWithItsParent(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envHold+"="+t.TempDir(), "PATH="+path(t))
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	addr := strings.TrimSpace(line)
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err, addr)
	conn.Close()
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	cmd.Wait()
	gone := func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err != nil
	}
	assert.Eventually(t, gone, 20*time.Second, 5*time.Millisecond)
}

// TestProgramsThatFail has scripts for programs.
func TestProgramsThatFail(t *testing.T) {
	for _, c := range []struct{ about, program, script, say string }{
		{"it says why", HAProxy, "echo no room >&2; exit 3", `the proxy ended: exit status 3; its last output: "no room\n"`},
		{"it ends and says nothing", HAProxy, "exit 0", `the proxy ended: it has nothing more to do; its last output: ""`},
		{"nginx for HTTP alone", NGINX, "echo configure arguments: --with-http_v2_module --with-stream_ssl_module", "this nginx was built without its module stream"},
		{"nginx whose module is another package", NGINX, "echo --prefix=/nowhere --with-stream=dynamic", "install libnginx-mod-stream"},
		{"nginx that does not say how it was built", NGINX, "exit 1", "-V: exit status 1"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.program), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700))
			t.Setenv("PATH", dir)
			_, err := Start(Config{Program: c.program, Server: "127.0.0.1:1", Dir: dir})
			assert.ErrorContains(t, err, c.say)
		})
	}
}

// TestAProxyThatPassesNothingOn has a server that is not there.
func TestAProxyThatPassesNothingOn(t *testing.T) {
	t.Setenv("PATH", path(t))
	p, err := Start(Config{Program: HAProxy, Server: "127.0.0.1:1", Dir: t.TempDir()})
	require.NoError(t, err)
	defer p.Close()
	assert.Error(t, pass(p.Addr()))
}
