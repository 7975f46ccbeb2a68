package jkrpc

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/internal/native/plain"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// server replaces jkrpc's own server in tests.
type server struct {
	http.Server
	addr string
}

func serve(addr string) (framework.Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &server{addr: l.Addr().String()}
	s.Handler, s.ErrorLog = answering(maxBody), log.New(io.Discard, "", 0)
	go s.Serve(l) // returns an error when the server is closed
	return s, nil
}

// Addr implements framework.Server.
func (s *server) Addr() string { return s.addr }

// answering is the handler of all methods, for requests of at most largest bytes.
func answering(largest int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { answer(w, r, largest) }
}

// answer makes the reply. Errors are exceptions with status 200.
func answer(w http.ResponseWriter, r *http.Request, largest int64) {
	var q rawRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, largest)).Decode(&q); err != nil || len(q.Args) != 1 {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	reply := response[any]{RequestID: q.ID}
	value, err := handle(q.Class, q.Method, q.Args[0])
	if err != nil {
		reply.Exception = &exception{Message: "business error", Cause: &exception{Message: err.Error()}}
	} else {
		reply.Value = &value
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(reply) // fails only if the client has gone
}

// handle calls a method.
func handle(class, method string, arg json.RawMessage) (any, error) {
	switch {
	case class == service && method == methodEcho:
		return handled(arg, plain.Kind.HandleEcho)
	case class == service && method == methodMessage:
		return handled(arg, plain.Kind.HandleMessage)
	}
	return nil, fmt.Errorf("there is no method %s#%s", class, method)
}

func handled[M any](arg json.RawMessage, handle func(*M) (*M, error)) (any, error) {
	m := new(M)
	if err := json.Unmarshal(arg, m); err != nil {
		return nil, err
	}
	return handle(m)
}
