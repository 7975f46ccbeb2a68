package host

import (
	"crypto/rand"
	"crypto/subtle"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// The secret of a child is what only the process that has started it knows. Without it
// everybody on the machine, and every web page in a browser there, could give orders to
// children, which listen on the loopback interface.
const (
	envSecret    = "RPCBENCH_SECRET"
	secretHeader = "Rpcbench-Secret"
)

// orderTimeout bounds how long a child waits for the header of a request.
const orderTimeout = 10 * time.Second

// newSecret returns a text of at least 128 random bits.
func newSecret() string { return rand.Text() }

// ownSecret is the secret of this process; "" if Start did not start it. Processes that
// it starts do not inherit it.
var ownSecret = sync.OnceValue(func() string {
	defer os.Unsetenv(envSecret)
	return os.Getenv(envSecret)
})

// ServeGuarded passes to h only those requests that know the secret of this process, see
// Host.Authorize. It serves until l is closed.
func ServeGuarded(l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: guarded(ownSecret(), h), ReadHeaderTimeout: orderTimeout}
	return s.Serve(l)
}

// guarded passes to h only requests with the secret, in a header or as the first part
// of the path, which then is left out. The path is for tools that send no headers.
func guarded(secret string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case same(r.Header.Get(secretHeader), secret):
			h.ServeHTTP(w, r)
		case same(first, secret):
			http.StripPrefix("/"+first, h).ServeHTTP(w, r)
		default:
			w.Header().Set("Connection", "close")
			http.Error(w, "only the process that has started this one may ask", http.StatusForbidden)
		}
	})
}

// same compares in constant time. No text is the same as no secret.
func same(got, secret string) bool {
	return secret != "" && subtle.ConstantTimeCompare([]byte(got), []byte(secret)) == 1
}
