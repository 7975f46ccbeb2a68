package brpc

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen"
)

// jar is what "mvn package" makes in testdata/peers/brpc-java.
const jar = "../../testdata/peers/brpc-java/target/peer.jar"

// peerAddr returns the address of a brpc-java server. The environment names it, or it is
// started here.
func peerAddr(t *testing.T) string {
	if addr := os.Getenv("RPCBENCH_PEER_BRPC_JAVA"); addr != "" {
		return addr
	}
	if _, err := os.Stat(jar); err != nil {
		t.Skip("RPCBENCH_PEER_BRPC_JAVA is not set, and there is no ", jar, `: "mvn -q -DskipTests package" in testdata/peers/brpc-java makes it`)
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip(err)
	}
	return startPeer(t, java)
}

func startPeer(t *testing.T, java string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	l.Close()
	cmd := exec.CommandContext(t.Context(), java, "-jar", jar, port)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { stdin.Close(); cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "ready "+port, strings.TrimSpace(line))
	return net.JoinHostPort("127.0.0.1", port)
}

// brpc-java and this client understand each other.
func TestBrpcJava(t *testing.T) {
	addr := peerAddr(t)
	for _, v := range Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			c, err := v.Dial(addr, framework.DialOptions{Conns: 1, Callers: 1})
			require.NoError(t, err)
			defer c.Close()
			for _, size := range []int{0, 1 << 10, 4 << 20} {
				assert.NoError(t, echoing(t, c, size)(within(t), 0), "%d bytes", size)
			}
			fails := c.Echo([]framework.EchoMessage{{Action: framework.ActionFail}}, nil)
			assert.ErrorContains(t, fails(within(t), 0), framework.ErrAsked.Error())
			assert.ErrorContains(t, c.(framework.MethodClient).CallUnknown(within(t)), "Fail to find")
			assert.NoError(t, echoing(t, c, 1)(within(t), 0), "after errors")
			if mc, ok := c.(framework.MessageClient); ok {
				assert.NoError(t, mc.Message(1, framework.CheckAnswer)(within(t), 0))
			}
		})
	}
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// echoing returns a call that fails unless its payload comes back.
func echoing(t *testing.T, c framework.Client, size int) loadgen.Call {
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	return c.Echo([]framework.EchoMessage{{Action: framework.ActionEcho, Msg: payload}}, func(_ int, got framework.EchoMessage) error {
		if got.Action != framework.ActionEcho || string(got.Msg) != string(payload) {
			return fmt.Errorf("%q with %d bytes came back, want %q with %d", got.Action, len(got.Msg), framework.ActionEcho, size)
		}
		return nil
	})
}
