package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestConnectionsAskedFor(t *testing.T) {
	for _, c := range []struct {
		about   string
		sharing framework.Sharing
		spec    Spec
		clients int
		want    string
	}{
		{"shared ones are those of -conns", framework.Fixed, Spec{Workers: 100, Conns: 10, Servers: 1}, 1, "10"},
		{"few callers open them all", framework.Mux, Spec{Workers: 1, Conns: 10, Servers: 1}, 1, "10"},
		{"each server has them", framework.Mux, Spec{Workers: 100, Conns: 10, Servers: 3}, 1, "30"},
		{"clients divide them", framework.Fixed, Spec{Workers: 100, Conns: 10, Servers: 1}, 2, "10"},
		{"what is left over is not opened", framework.Fixed, Spec{Workers: 100, Conns: 10, Servers: 1}, 4, "8"},
		{"each client has one at least", framework.Fixed, Spec{Workers: 100, Conns: 2, Servers: 1}, 4, "4"},
		{"streams share them as calls do", framework.Mux, Spec{Workers: 100, Conns: 10, Servers: 1, Streamed: true, Endless: true}, 1, "10"},
		{"a pool has up to one for each caller", framework.Pooled, Spec{Workers: 100, Conns: 10, Servers: 1}, 1, "1 to 100"},
		{"the pool of one caller has one", framework.Pooled, Spec{Workers: 1, Conns: 10, Servers: 1}, 1, "1"},
		{"pools are of each server", framework.Pooled, Spec{Workers: 100, Conns: 10, Servers: 2}, 1, "1 to 200"},
		{"and of each client", framework.Pooled, Spec{Workers: 100, Conns: 10, Servers: 1}, 3, "3 to 100"},
		{"streams beside a pool may have others", framework.Pooled, Spec{Workers: 100, Conns: 10, Servers: 1, Streamed: true, Endless: true}, 2, "2 or more"},
		{"so have messages that are due on them", framework.Pooled, Spec{Workers: 100, Conns: 10, Servers: 1, Streamed: true, Streams: 100}, 1, "1 or more"},
		{"streams that have ended may have closed theirs", framework.Pooled, Spec{Workers: 2, Conns: 10, Servers: 1, Streamed: true}, 1, "0 or more"},
		{"so have calls that open one each", framework.Short, Spec{Workers: 10, Conns: 10, Servers: 1}, 1, "0 to 10"},
	} {
		got := Case{Target: Target{Variant: framework.Variant{Connections: framework.Connections{Sharing: c.sharing}}}, Spec: c.spec}.Asked(c.clients)
		assert.Equal(t, c.want, got.String(), c.about)
	}
}
