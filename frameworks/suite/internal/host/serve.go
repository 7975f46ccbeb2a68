package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
)

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

// controlMux returns the handlers of a child's control server. They are not in
// http.DefaultServeMux, because frameworks serve that.
func controlMux(s Server) *http.ServeMux {
	r := new(reader)
	mux := http.NewServeMux()
	mux.HandleFunc(pathFigures, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(r.read()) // fails only if the parent has gone
	})
	mux.HandleFunc(pathResetPeak, serveResetPeak)
	mux.HandleFunc(pathHoldings, serveHoldings)
	mux.HandleFunc(pathHandled, serveTally(s, manyHandled.Handled))
	mux.HandleFunc(pathSpans, serveTally(s, manySpans.Spans))
	p := new(profiler)
	mux.HandleFunc(pathStartProfile, p.serve)
	mux.HandleFunc(pathStopProfile, p.serve)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}
