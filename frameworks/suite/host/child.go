package host

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

// The child's ends of the two pipes, which it inherits.
const (
	lifelineFD = 3 // to read: end-of-file says that the parent is gone
	readyFD    = 4 // to write: one line of JSON
)

// maxReady bounds the bytes of the readiness line.
const maxReady = 1 << 20

// closeTimeout bounds how long a child waits for its server to close.
const closeTimeout = 2 * time.Second

// Server is a running server.
type Server interface {
	Addr() string // host:port, or the path of a Unix socket, it listens on
	Close() error // stops listening and drops its connections
}

// manyAddrs is a server that listens at several addresses, of which the first is Addr.
type manyAddrs interface{ Addrs() []string }

// Ready is what a child reports when its server listens.
type Ready struct {
	Addr      string            // of the server
	Addrs     []string          `json:",omitempty"` // all of them, if there are several
	Up        time.Time         // when the server had started
	Control   string            // host:port of the control server, on the server's interface
	Versions  map[string]string // as given to Serve
	Settings  map[string]string // of the Go runtime of the child, see package settings
	Procs     int               // GOMAXPROCS of the child
	NumCPU    int               // CPUs the child may use
	GoVersion string            // as in "go1.26.0"
	PID       int
}

// readyLine is what goes through the readiness pipe: Ready, or the error that kept
// the server from starting.
type readyLine struct {
	Ready
	Error string `json:",omitempty"`
}

// awaitReady reads the readiness line until ctx ends.
func awaitReady(ctx context.Context, pipe *os.File) (Ready, error) {
	stop := context.AfterFunc(ctx, func() { _ = pipe.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := readLine(pipe)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return Ready{}, context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return Ready{}, errors.New("the child ended before it was ready (does TestMain call host.Serve when host.Serving is set?)")
	default:
		return Ready{}, fmt.Errorf("read the child's readiness: %w", err)
	}
	var line readyLine
	if err := json.Unmarshal(text, &line); err != nil {
		return Ready{}, fmt.Errorf("the child's readiness line %q: %w", text, err)
	}
	if line.Error != "" {
		return Ready{}, errors.New(line.Error)
	}
	return line.Ready, nil
}

func readLine(r io.Reader) ([]byte, error) {
	return bufio.NewReader(limit.Reader(r, maxReady)).ReadBytes('\n')
}

// Serving returns what this process was started to serve: its parent's Config.Serve,
// or "" if Start did not start it.
func Serving() string { return os.Getenv(envServe) }

// ListenAddr returns the address on which the server of a child must listen:
// Config.Listen of its parent, the far end of Config.Link, or the loopback interface.
// The port is Config.Port. A path has none.
func ListenAddr() string {
	if path := os.Getenv(envListen); isPath(path) {
		return path
	}
	return addrOf(envListen, os.Getenv(envPort))
}

// isPath reports whether an address is the path of a Unix socket.
func isPath(addr string) bool { return strings.HasPrefix(addr, "/") }

// Addrs returns at how many addresses the server of a child should listen: Config.Addrs of
// its parent.
func Addrs() int {
	n, _ := strconv.Atoi(os.Getenv(envAddrs)) // 0 if it is not set
	return max(n, 1)
}

func addrOf(envIP, port string) string {
	return net.JoinHostPort(cmp.Or(os.Getenv(envIP), "127.0.0.1"), cmp.Or(port, "0"))
}

// Serve does what a child has to do: it calls start with Serving() and Config.Arg,
// tells the parent that the server runs, and answers the parent's control calls until
// the parent ends the child or is gone. It returns the exit code, with which the
// caller must exit at once. The code is 0 if the server served until the end, even if
// it could not be closed within 2 s. versions may be nil.
func Serve(start func(id, arg string) (Server, error), versions map[string]string) (exitCode int) {
	if Serving() == "" {
		fmt.Fprintln(os.Stderr, "host: Serve in a process that Start did not start")
		return 2
	}
	// This comes first, since a Ctrl-C and the end of the terminal may come at any
	// time. They are meant for the parent, which decides when the child ends.
	signal.Ignore(os.Interrupt, syscall.SIGHUP)
	ended, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	self.Rename()
	ownSecret() // what the server starts must not inherit it
	lifeline, ready, err := inheritedPipes()
	if err != nil {
		fmt.Fprintln(os.Stderr, "host: Serve in a process that Start did not start:", err)
		return 2
	}
	go func() {
		_, _ = io.Copy(io.Discard, lifeline)
		cancel()
	}()
	return serve(ended, ready, start, versions)
}

// serve serves until ended.
func serve(ended context.Context, ready *os.File, start func(id, arg string) (Server, error), versions map[string]string) int {
	s, err := startServer(ended, start)
	if err != nil {
		_ = tell(ready, readyLine{Error: err.Error()})
		return 1
	}
	defer closeServer(s)
	up := time.Now()
	control, err := net.Listen("tcp", addrOf(envControl, ""))
	if err != nil {
		_ = tell(ready, readyLine{Error: "control server: " + err.Error()})
		return 1
	}
	go ServeGuarded(control, controlMux(s)) //nolint:errcheck // serves until the process ends
	err = tell(ready, readyLine{Ready: Ready{
		Addr: s.Addr(), Addrs: addrsOf(s), Up: up, Control: control.Addr().String(), Versions: versions, Settings: settings.Here(),
		Procs: runtime.GOMAXPROCS(0), NumCPU: runtime.NumCPU(),
		GoVersion: runtime.Version(), PID: os.Getpid(),
	}})
	if err != nil {
		fmt.Fprintln(os.Stderr, "host: tell the parent:", err)
		return 1
	}
	<-ended.Done()
	return 0
}

// addrsOf returns the addresses of a server that listens at several; nil for others.
func addrsOf(s Server) []string {
	if many, ok := s.(manyAddrs); ok {
		return many.Addrs()
	}
	return nil
}

// startServer calls start. It also returns when this process is to end, even if start
// hangs.
func startServer(ended context.Context, start func(id, arg string) (Server, error)) (Server, error) {
	type result struct {
		s   Server
		err error
	}
	started := make(chan result, 1)
	arg := os.Getenv(envArg)
	_ = os.Unsetenv(envArg) // fails only for an invalid name
	go func() {
		time.Sleep(untilStart())
		if path := ListenAddr(); isPath(path) {
			_ = os.Remove(path) // of a server that was killed; usually there is none
		}
		s, err := start(Serving(), arg)
		started <- result{s, err}
	}()
	select {
	case r := <-started:
		return r.s, r.err
	case <-ended.Done():
		return nil, errors.New("asked to end before the server had started")
	}
}

// untilStart returns how long this child waits before it starts its server.
func untilStart() time.Duration {
	ns, _ := strconv.ParseInt(os.Getenv(envNotBefore), 10, 64) // 0 if it is not set
	return time.Until(time.Unix(0, ns))
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

// tell writes the readiness line and closes the pipe.
func tell(pipe *os.File, line readyLine) error {
	return errors.Join(json.NewEncoder(pipe).Encode(line), pipe.Close())
}
