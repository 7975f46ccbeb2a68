package kitex

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/cloudwego/kitex/server"
	prutal "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench"
	prutalbencher "github.com/rpcbench/rpcbench/frameworks/kitex/internal/prutal/bench/bencher"
	thrift "github.com/rpcbench/rpcbench/frameworks/kitex/internal/thrift/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReplaceField(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"the first field", `{"field2":1,"b":2}`, `{"field2":100,"b":2}`},
		{"the last field", `{"b":2,"field2":123456}`, `{"b":2,"field2":100}`},
		{"a field of a longer name stays", `{"field22":7,"field2":1}`, `{"field22":7,"field2":100}`},
		{"text that looks like the field stays", `{"b":"\"field2\":1","field2":1}`, `{"b":"\"field2\":1","field2":100}`},
	} {
		assert.Equal(t, c.want, replaceField(c.text, "field2", "100"), c.about)
	}
}

func TestMapOf(t *testing.T) {
	text := "t"
	assert.Equal(t,
		map[string]any{"action": "echo", "msg": []byte("m")},
		mapOf(&thrift.EchoMessage{Action: "echo", Msg: []byte("m")}), "the names are those of the IDL")

	m := mapOf(&thrift.BenchMessage{Field4: &text, Field2: 5})
	assert.Equal(t, "t", m["field4"], "an optional field with a value")
	assert.NotContains(t, m, "field5", "an empty list")
	assert.NotContains(t, m, "field7", "an optional field without a value")
	assert.Equal(t, int32(5), m["field2"])
}

// Text and map are converted back to the struct that they were made of.
func TestStructured(t *testing.T) {
	want := thrift.NewBenchMessage()
	message.Fill(want)
	for _, s := range []message.Structured{benchText(textOf(want)), benchMap(mapOf(want))} {
		assert.Equal(t, want, s.Struct(), "%T", s)
	}
	assert.Equal(t, new(thrift.BenchMessage), benchText("no JSON").Struct(), "a reply that is no message differs from all that are")
}

// The client's IDL has a method that the server lacks. kitex does not send calls of
// methods that the client does not know.
func TestClientIDL(t *testing.T) {
	for _, c := range []struct {
		about, idl string
		methods    []string
	}{
		{"the server's", idl, []string{methodEcho, methodMessage}},
		{"the client's", clientIDL(), []string{methodEcho, methodMessage, methodUnknown}},
	} {
		p, err := plainIDL(c.idl)
		require.NoError(t, err)
		functions := (<-p.Provide()).Functions
		assert.Len(t, functions, len(c.methods), c.about)
		for _, m := range c.methods {
			assert.Contains(t, functions, m, c.about)
		}
	}
}

// counted is a handler that counts its calls.
type counted struct {
	methods[prutal.EchoMessage, prutal.BenchMessage, prutal.BenchMessage]
	calls atomic.Int64
}

func (c *counted) Echo(ctx context.Context, m *prutal.EchoMessage) (*prutal.EchoMessage, error) {
	c.calls.Add(1)
	return c.methods.Echo(ctx, m)
}

// serve starts a server in which c handles the calls.
func (c *counted) serve(t *testing.T, s setup) framework.Server {
	counting := prutalKind
	counting.register = func(svr server.Server) error { return svr.RegisterService(prutalbencher.NewServiceInfo(), c) }
	server, err := serve("127.0.0.1:0", s, counting)
	require.NoError(t, err)
	t.Cleanup(func() { server.Close() })
	return server
}

// Kitex uses the servers in turn.
func TestDialAll(t *testing.T) {
	for _, s := range []setup{pool, mux, grpc} {
		t.Run(s.name, func(t *testing.T) {
			of := methods[prutal.EchoMessage, prutal.BenchMessage, prutal.BenchMessage]{prutals}
			one, two := counted{methods: of}, counted{methods: of}
			addrs := []string{one.serve(t, s).Addr(), two.serve(t, s).Addr()}
			c, err := variant(s, prutalKind).DialAll(addrs, framework.DialOptions{Conns: 2, Callers: 2})
			require.NoError(t, err)
			defer c.Close()

			before := []int64{one.calls.Load(), two.calls.Load()}
			call := c.Echo([]framework.EchoMessage{{Action: handler.ActionEcho}}, func(int, framework.EchoMessage) error { return nil })
			for range 20 {
				require.NoError(t, call(t.Context(), 0))
			}
			assert.EqualValues(t, 10, one.calls.Load()-before[0])
			assert.EqualValues(t, 10, two.calls.Load()-before[1])
		})
	}
}
