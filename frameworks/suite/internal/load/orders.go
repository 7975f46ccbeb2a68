package load

import (
	"encoding/json"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
)

// Orders is a host.Server that takes orders by HTTP.
type Orders struct{ net.Listener }

// Take begins to take orders, by their paths, until the process ends.
func (o *Orders) Take(handlers map[string]http.Handler) (err error) {
	if o.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	mux := http.NewServeMux()
	for path, h := range handlers {
		mux.Handle("POST "+path, h)
	}
	go host.ServeGuarded(o.Listener, mux) // until the process ends
	return nil
}

// Addr implements host.Server.
func (o Orders) Addr() string { return o.Listener.Addr().String() }

// Answer handles one kind of request. Request and reply are JSON; a failed request
// is answered with the text of the error.
func Answer[Q, A any](do func(Q) (A, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q Q
		err := json.NewDecoder(r.Body).Decode(&q)
		var reply A
		if err == nil {
			reply, err = do(q)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		json.NewEncoder(w).Encode(reply) // fails only if the parent has gone
	})
}
