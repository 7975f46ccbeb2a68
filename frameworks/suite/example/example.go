// Package example shows how the author of a framework measures it with package
// suite, in a module of their own: an adapter, here of a tiny framework that
// posts JSON over HTTP, and a table of variants in bench_test.go.
package example

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Variants returns the one variant there is.
func Variants() []framework.Variant {
	return []framework.Variant{{
		Keys:        framework.Keys{Framework: "example", Transport: "http", Codec: "json"},
		Recommended: true,
		Unknown:     framework.Says("404 Not Found"),
		Serve:       serve,
		Dial: func(addr string, o framework.DialOptions) (framework.Client, error) {
			return &client{addr: addr, http: http.Client{Transport: &http.Transport{
				MaxConnsPerHost: o.Conns, MaxIdleConnsPerHost: o.Conns,
			}}}, nil
		},
	}}
}

// server is a framework.Server.
type server struct {
	http.Server
	addr string
}

func serve(addr string) (framework.Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &server{addr: listener.Addr().String()}
	mux := http.NewServeMux()
	mux.Handle("POST /echo", handlerOf(func(m *framework.EchoMessage) (err error) {
		m.Msg, err = handler.Echo(m.Action, m.Msg)
		return err
	}))
	mux.Handle("POST /message", handlerOf(func(m *message.Bench) error {
		m.Field1, m.Field2 = message.AnswerField1, message.AnswerField2
		return nil
	}))
	mux.Handle("POST /order", handlerOf(func(*Order) error { return nil })) // see Orders
	s.Handler = mux
	go s.Serve(listener)
	return s, nil
}

func (s *server) Addr() string { return s.addr }

// handlerOf makes a handler that decodes a request, works on it, and sends it back.
func handlerOf[T any](work func(*T) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m T
		err := json.NewDecoder(r.Body).Decode(&m)
		if err == nil {
			err = work(&m)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(m)
	})
}

// client is a framework.MessageClient.
type client struct {
	addr string
	http http.Client
}

var _ framework.MessageClient = (*client)(nil)

func (c *client) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(ctx context.Context, worker int) error {
		var reply framework.EchoMessage
		if err := c.post(ctx, "/echo", requests[worker], &reply); err != nil {
			return err
		}
		return check(worker, reply)
	}
}

func (c *client) Message(workers int, check framework.MessageCheck) loadgen.Call {
	requests := message.NewRequests[message.Bench](workers)
	return func(ctx context.Context, worker int) error {
		var reply message.Bench
		if err := c.post(ctx, "/message", requests.Of(worker), &reply); err != nil {
			return err
		}
		requests.Done(worker)
		return check(worker, reply.Field1, reply.Field2, &reply)
	}
}

func (c *client) CallUnknown(ctx context.Context) error {
	return c.post(ctx, "/unknown", nil, nil)
}

func (c *client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

func (c *client) post(ctx context.Context, path string, request, reply any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.addr+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", res.Status, strings.TrimSpace(string(answer)))
	}
	return json.Unmarshal(answer, reply)
}
