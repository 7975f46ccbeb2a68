// Package remote runs servers on another machine. There, Serve answers HTTP requests
// and starts servers as children of its process. Here, Dial finds the machine, and
// Machine.Start starts a server, which has the methods of host.Host. For example:
//
//	RPCBENCH_TOKEN=… rpcbench.test -serve -listen=10.0.0.2:7000
//	RPCBENCH_TOKEN=… rpcbench.test -test.bench=Echo -host=10.0.0.2:7000
//
// Whoever has the token may start servers. Config.Prepare on the serving side decides
// which. The token and the figures are sent over TLS 1.3 to a key whose fingerprint the
// client knows. The servers themselves answer everybody, and their calls are open.
//
// A server runs as long as its client keeps asking about it, so it ends when its
// client has ended, for whatever reason.
package remote

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/builds"
)

// tokenHeader carries the token. It is required even if the token is empty, because
// web pages in a browser on this machine cannot send it.
const tokenHeader = "Rpcbench-Token"

// servingHeader is in every answer of a serving side, also where it refuses, and tells it
// from other HTTP servers.
const servingHeader = "Rpcbench-Serving"

// minToken is the least length in bytes of a token, unless only the loopback
// interface is served.
const minToken = 16

// Request says what to start.
type Request struct {
	Serve    string // what host.Serving returns in the server's process
	Workload string // what its handlers do; "" for nothing
	Certs    []byte // for TLS, as the suite encodes them; nil for none
	// Build is the executable of the server, and Order what the suite tells it. nil stands for the
	// executable of the serving side, which makes the order itself.
	Build *builds.Build
	Order []byte
}

// About describes a serving machine.
type About struct {
	Versions  map[string]string // of the frameworks that it serves
	Settings  map[string]string // of the Go runtime there, see package settings, and what package machine tells
	GoVersion string            // as in "go1.26.0"
	System    string            // as in "linux/amd64, 8 CPUs"
	Procs     int               // GOMAXPROCS of its servers
	ID        string            // of the serving side, random
	Room      int               // the most servers at once
}

// started is the answer to a Request.
type started struct {
	Number int
	host.Ready
}

// state says how a server has ended.
type state struct {
	Ended bool
	Error string // "" for an orderly end
}

// Listen listens on addr, host:port. Without a token it accepts addresses of the
// loopback interface only.
func Listen(addr, token string) (net.Listener, error) {
	tcp, err := net.ResolveTCPAddr("tcp", addr)
	if err != nil {
		return nil, err
	}
	token = trimmed(token)
	if strings.ContainsFunc(token, unicode.IsControl) {
		return nil, errors.New("a token is one line of text, without control characters")
	}
	if !tcp.IP.IsLoopback() && len(token) < minToken {
		return nil, fmt.Errorf("%s is not a loopback address: a token of %d characters or more is needed, in %s or a file", addr, minToken, host.EnvToken)
	}
	return net.ListenTCP("tcp", tcp)
}

// trimmed returns a token as it arrives: HTTP leaves out space around the value of a
// header.
func trimmed(token string) string { return strings.TrimSpace(token) }

// signed adds servingHeader to the answers of h.
func signed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(servingHeader, "1")
		h.ServeHTTP(w, r)
	})
}

// timed bounds the time until the body of a request has arrived. The deadline of a
// request without a body would end its context, by which the end of the client is noticed.
func timed(most time.Duration, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(most)) // fails only if the client has gone
		}
		h.ServeHTTP(w, r)
	})
}

// guarded passes to h only requests with the token, and closes the connection after
// others. It compares hashes of the tokens in constant time, so that the time of the
// answer tells nothing about the token.
func guarded(token string, h http.Handler) http.Handler {
	want := sha256.Sum256([]byte(trimmed(token)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := sha256.Sum256([]byte(r.Header.Get(tokenHeader)))
		if len(r.Header.Values(tokenHeader)) != 1 || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("Connection", "close")
			http.Error(w, errToken.Error(), http.StatusUnauthorized)
			return
		}
		trust(r.Context())
		h.ServeHTTP(w, r)
	})
}

var errToken = errors.New("the token is missing or is not the one of the serving side")
