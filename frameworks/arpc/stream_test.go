package arpc

import (
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// A stream whose connection is lost returns an error, not io.EOF, even if all messages
// have been sent.
func TestStreamOfALostConnection(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector: ", variant(onNet, protobufKind).Races.Ending)
	}
	for _, closeSend := range []bool{false, true} {
		v := variant(onNet, protobufKind)
		server, err := v.Serve("127.0.0.1:0")
		require.NoError(t, err)
		c, err := v.Dial(server.Addr(), framework.DialOptions{Conns: 1})
		require.NoError(t, err)
		s, err := c.(framework.StreamClient).OpenStream(t.Context(), 0)
		require.NoError(t, err)
		require.NoError(t, s.Send(framework.EchoMessage{Action: handler.ActionEcho, Msg: []byte("m")}))
		got, err := s.Recv()
		require.NoError(t, err)
		assert.Equal(t, framework.EchoMessage{Action: handler.ActionEcho, Msg: []byte("m")}, got)

		require.NoError(t, server.Close())
		if closeSend {
			s.CloseSend()
		}
		_, err = s.Recv()
		assert.ErrorIs(t, err, errLost)
		_, err = s.Recv()
		assert.NotErrorIs(t, err, io.EOF, "nor later")
		require.NoError(t, s.Close())
		require.NoError(t, c.Close())
	}
}
