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

	"github.com/rpcbench/rpcbench/frameworks/suite"
	"github.com/rpcbench/rpcbench/loadgen"
)

// jar is what "mvn package" makes in testdata/peers/brpc-java.
const jar = "../../testdata/peers/brpc-java/target/peer.jar"

// peerAddr is the address of a server of brpc-java: that of the environment, or
// of one that is started here.
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

// What brpc-java and we make of the same bytes.
func TestBrpcJava(t *testing.T) {
	addr := peerAddr(t)
	for _, v := range Variants() {
		t.Run(v.ID(), func(t *testing.T) {
			c, err := v.Dial(addr, suite.DialOptions{Conns: 1, Callers: 1})
			require.NoError(t, err)
			defer c.Close()
			for _, size := range []int{0, 1 << 10, 4 << 20} {
				assert.NoError(t, echoing(t, c, size)(within(t), 0), "%d bytes", size)
			}
			fails := c.Echo([]suite.EchoMessage{{Action: suite.ActionFail}}, nil)
			assert.ErrorContains(t, fails(within(t), 0), suite.ErrAsked.Error())
			assert.ErrorContains(t, c.(suite.MethodClient).CallUnknown(within(t)), "Fail to find")
			assert.NoError(t, echoing(t, c, 1)(within(t), 0), "after errors")
			if mc, ok := c.(suite.MessageClient); ok {
				assert.NoError(t, mc.Message(1, suite.CheckAnswer)(within(t), 0))
			}
		})
	}
}

func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// echoing is a call whose payload must come back.
func echoing(t *testing.T, c suite.Client, size int) loadgen.Call {
	payload := make([]byte, size)
	for i := range payload {
		payload[i] = byte(i * 7)
	}
	return c.Echo([]suite.EchoMessage{{Action: suite.ActionEcho, Msg: payload}}, func(_ int, got suite.EchoMessage) error {
		if got.Action != suite.ActionEcho || string(got.Msg) != string(payload) {
			return fmt.Errorf("%q with %d bytes came back, want %q with %d", got.Action, len(got.Msg), suite.ActionEcho, size)
		}
		return nil
	})
}
