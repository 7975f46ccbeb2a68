package server

import (
	"io"
	"net"
	"net/http"
	"runtime"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
)

// Body is the body of a right answer over HTTP.
const Body = "ok\n"

// otherBody is the body of a wrong one, which has the same length and status.
const otherBody = "no\n"

// serveHTTP answers all paths and methods until l is closed.
func serveHTTP(l net.Listener, calls *ledger) error {
	return http.Serve(inOrder{l}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := calls.arrive()
		if r.ContentLength != 0 {
			io.Copy(io.Discard, r.Body)
		}
		switch calls.end(r.Context(), call) {
		case planted.Right:
			io.WriteString(w, Body)
		case planted.OtherBody:
			io.WriteString(w, otherBody)
		case planted.Failure:
			http.Error(w, "as planted", http.StatusInternalServerError)
		case planted.Drop:
			panic(http.ErrAbortHandler) // closes the connection
		}
	}))
}

// inOrder is a listener that has each connection read before it accepts the next. When
// hundreds are waiting, the runtime would start their goroutines in another order.
type inOrder struct{ net.Listener }

// Accept implements net.Listener.
func (l inOrder) Accept() (net.Conn, error) {
	runtime.Gosched() // to the goroutine of the last connection
	return l.Listener.Accept()
}
