package native_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
)

// A message without an answer does not end the stream. An error does.
func TestHandleStream(t *testing.T) {
	broken := errors.New("broken")
	for _, row := range []struct {
		about string
		in    []string // actions, after which end is received
		end   error
		out   []string
		want  error
	}{
		{"the client's last message ends it", []string{handler.ActionEcho, handler.ActionSum}, io.EOF, []string{handler.ActionEcho, handler.ActionSum}, nil},
		{"what is sunk is not answered", []string{handler.ActionSink, handler.ActionEcho}, io.EOF, []string{handler.ActionEcho}, nil},
		{"the handler's error", []string{handler.ActionFail, handler.ActionEcho}, io.EOF, nil, handler.ErrAsked},
		{"a broken connection", []string{handler.ActionEcho}, broken, []string{handler.ActionEcho}, broken},
	} {
		t.Run(row.about, func(t *testing.T) {
			var out []string
			err := plain.Kind.HandleStream(func() (*plain.EchoMessage, error) {
				if len(row.in) == 0 {
					return nil, row.end
				}
				m := &plain.EchoMessage{Action: row.in[0]}
				row.in = row.in[1:]
				return m, nil
			}, func(m *plain.EchoMessage) error {
				out = append(out, m.Action)
				return nil
			})
			assert.ErrorIs(t, err, row.want)
			assert.Equal(t, row.out, out)
		})
	}
}
