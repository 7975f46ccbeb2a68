package server

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// oneServer is a framework that can have one server in a process.
func oneServer(first error) framework.Variant {
	servers := 0
	return framework.Variant{Serve: func(string) (framework.Server, error) {
		if servers++; servers > 1 || first != nil {
			return nil, errors.Join(first, errors.New("there is one already"))
		}
		return Given{"127.0.0.1:1"}.server(), nil
	}}
}

type stopped struct{ Given }

func (s stopped) Close() error { return nil }

func (g Given) server() framework.Server { return stopped{g} }

func TestServeAll(t *testing.T) {
	many := framework.Variant{Serve: func(string) (framework.Server, error) { return Given{"127.0.0.1:2"}.server(), nil }}
	s, err := serveAll(many, Order{}, 3)
	require.NoError(t, err)
	assert.Equal(t, "127.0.0.1:2", s.Addr())
	assert.Equal(t, []string{"127.0.0.1:2", "127.0.0.1:2", "127.0.0.1:2"}, s.(several).Addrs())
	assert.NoError(t, s.Close())

	s, err = serveAll(oneServer(nil), Order{}, 3)
	require.NoError(t, err)
	assert.Equal(t, "127.0.0.1:1", s.Addr(), "the framework can have only one")
	_, err = serveAll(oneServer(errors.New("no server")), Order{}, 3)
	assert.ErrorContains(t, err, "no server")
}
