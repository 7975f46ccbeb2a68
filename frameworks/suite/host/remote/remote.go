// Package remote runs servers on another machine. Serve answers there, by HTTP,
// and starts servers as local children of its process; Dial and Machine.Start
// make them ours, with the methods of host.Host. Two commands do it:
//
//	RPCBENCH_TOKEN=… rpcbench.test -serve -listen=10.0.0.2:7000
//	RPCBENCH_TOKEN=… rpcbench.test -test.bench=Echo -host=10.0.0.2:7000
//
// Who has the token may start servers, and what these are is the serving
// side's choice: Config.Prepare. Neither the token nor anything else is
// encrypted, and the servers themselves ask nobody who they are: use a network
// that you trust, or a tunnel.
//
// A server lives as long as somebody asks about it. A client that is gone,
// however it ended, asks no more.
package remote

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// tokenHeader carries the token. That it must be there, even if the token is
// empty, keeps the pages of a browser out.
const tokenHeader = "Rpcbench-Token"

// minToken is the least length in bytes of a token beyond loopback.
const minToken = 16

// Request says what to start.
type Request struct {
	Serve    string // what Serving returns there
	Workload string // that its handlers do; "" for none
}

// About describes a serving machine.
type About struct {
	Versions  map[string]string // of what it serves
	GoVersion string            // as in "go1.26.0"
	System    string            // as in "linux/amd64, 8 CPUs"
	Procs     int               // GOMAXPROCS of its servers
}

// started is the answer to a Request.
type started struct {
	Number int
	host.Ready
}

// state is what became of a server.
type state struct {
	Ended bool
	Error string // "" for an orderly end
}

// Listen listens on addr, host:port. Without a token that is for the loopback
// interface only.
func Listen(addr, token string) (net.Listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	if !tcp.IP.IsLoopback() && len(token) < minToken {
		return nil, fmt.Errorf("%s is not a loopback address: a token of %d characters or more is needed, in %s or a file", addr, minToken, host.EnvToken)
	}
	return net.ListenTCP("tcp", tcp)
}

// guarded has h answer those alone who have the token. Of both tokens the
// hashes are compared, which tell nothing by the time that it takes.
func guarded(token string, h http.Handler) http.Handler {
	want := sha256.Sum256([]byte(token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get(tokenHeader)))
		if len(r.Header.Values(tokenHeader)) != 1 || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			http.Error(w, errToken.Error(), http.StatusUnauthorized)
			return
		}
		h.ServeHTTP(w, r)
	})
}

var errToken = errors.New("the token is missing or is not the one of the serving side")
