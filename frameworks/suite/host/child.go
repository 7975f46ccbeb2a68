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
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// The child's inherited ends of the two pipes.
const (
	lifelineFD = 3 // to read: end-of-file says that the parent is gone
	readyFD    = 4 // to write: one line of JSON
)

// closeTimeout bounds how long a child waits for its server to close: no
// server may keep a child alive.
const closeTimeout = 2 * time.Second

// Server is a running server.
type Server interface {
	Addr() string // host:port it listens on
	Close() error // stops listening and drops its connections
}

// Ready is what a child says when its server listens.
type Ready struct {
	Addr      string            // host:port of the server
	Control   string            // host:port of the control server, on the server's interface
	Versions  map[string]string // as given to Serve
	Procs     int               // GOMAXPROCS of the child
	NumCPU    int               // CPUs the child may use
	GoVersion string            // as in "go1.26.0"
	PID       int
}

// readyLine is what goes through the readiness pipe: Ready, or why not.
type readyLine struct {
	Ready
	Error string `json:",omitempty"`
}

// awaitReady reads the readiness line until ctx ends.
func awaitReady(ctx context.Context, pipe *os.File) (Ready, error) {
	stop := context.AfterFunc(ctx, func() { _ = pipe.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	text, err := bufio.NewReader(pipe).ReadBytes('\n')
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

// Serving is what this process was started to serve, Config.Serve of its
// parent; "" when Start did not start it.
func Serving() string { return os.Getenv(envServe) }

// AnyPort is the address, with the port left open, that the server of a child
// must listen on: Config.Listen of its parent, the far end of Config.Link, or
// the loopback interface.
func AnyPort() string { return anyPort(envListen) }

func anyPort(env string) string {
	return net.JoinHostPort(cmp.Or(os.Getenv(env), "127.0.0.1"), "0")
}

// Serve plays the child's part: it starts the server by start, given Serving()
// and Config.Arg, tells the parent, and answers the parent's control calls until the parent is
// gone or ends it. It returns the exit code, with which the caller must exit
// at once: 0 when the server served until the end, even if it could not be
// closed within 2 s. versions may be nil.
func Serve(start func(id, arg string) (Server, error), versions map[string]string) (exitCode int) {
	if Serving() == "" {
		fmt.Fprintln(os.Stderr, "host: Serve in a process that Start did not start")
		return 2
	}
	// Before anybody knows of this process. A Ctrl-C means the parent, which
	// decides when this one ends.
	signal.Ignore(os.Interrupt)
	ended, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
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
	control, err := net.Listen("tcp", anyPort(envControl))
	if err != nil {
		_ = tell(ready, readyLine{Error: "control server: " + err.Error()})
		return 1
	}
	go http.Serve(control, controlMux()) //nolint:errcheck // ends with the process
	err = tell(ready, readyLine{Ready: Ready{
		Addr: s.Addr(), Control: control.Addr().String(), Versions: versions,
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

// startServer returns when the server has started or this process is to end,
// even if start hangs.
func startServer(ended context.Context, start func(id, arg string) (Server, error)) (Server, error) {
	type result struct {
		s   Server
		err error
	}
	started := make(chan result, 1)
	arg := os.Getenv(envArg)
	_ = os.Unsetenv(envArg) // fails for no name that is a name
	go func() {
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

// closeServer waits for s to close no longer than closeTimeout. A failure is
// only worth a line: the process ends, and the server with it.
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

// tell writes the readiness line. Nobody needs the pipe after it.
func tell(pipe *os.File, line readyLine) error {
	return errors.Join(json.NewEncoder(pipe).Encode(line), pipe.Close())
}
