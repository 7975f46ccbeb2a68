package host

import (
	"fmt"
	"os"
	"time"
)

// closeTimeout bounds how long a child waits for its server to close.
const closeTimeout = 2 * time.Second

// Server is a running server.
type Server interface {
	Addr() string // host:port, or the path of a Unix socket, it listens on
	Close() error // stops listening and drops its connections
}

// manyAddrs is a server that listens at several addresses, of which the first is Addr.
type manyAddrs interface{ Addrs() []string }

// addrsOf returns the addresses of a server that listens at several; nil for others.
func addrsOf(s Server) []string {
	if many, ok := s.(manyAddrs); ok {
		return many.Addrs()
	}
	return nil
}

// closeServer closes s, and waits closeTimeout for that at most. It only prints an
// error, because the process ends anyway, and the server with it.
func closeServer(s Server) {
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			fmt.Fprintln(os.Stderr, "host: close the server:", err)
		}
	case <-time.After(closeTimeout):
		fmt.Fprintln(os.Stderr, "host: the server did not close within", closeTimeout)
	}
}
