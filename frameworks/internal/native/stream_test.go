package native_test

import (
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
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
		{"the client's last message ends it", []string{framework.ActionEcho, framework.ActionSum}, io.EOF, []string{framework.ActionEcho, framework.ActionSum}, nil},
		{"what is sunk is not answered", []string{framework.ActionSink, framework.ActionEcho}, io.EOF, []string{framework.ActionEcho}, nil},
		{"the handler's error", []string{framework.ActionFail, framework.ActionEcho}, io.EOF, nil, framework.ErrAsked},
		{"a broken connection", []string{framework.ActionEcho}, broken, []string{framework.ActionEcho}, broken},
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
