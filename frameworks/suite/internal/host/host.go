// Package host runs servers in processes of their own. Each process executes the
// running build again, whatever is at its path by then, see package self.
//
// The parent calls Start and gets a Host. In the child, TestMain (or main)
// asks Serving before it parses flags, and hands over to Serve:
//
//	func TestMain(m *testing.M) {
//		if host.Serving() != "" {
//			os.Exit(host.Serve(start, versions))
//		}
//		os.Exit(m.Run())
//	}
//
// Three channels connect the two. The lifeline is a pipe that the parent never writes
// to: its end-of-file ends the child, however the parent died. The readiness pipe
// carries one line of JSON from the child. HTTP serves figures and profiles to who
// knows the child's secret, which is random and in the child's environment. What the
// child prints is kept but not printed, because a stray line would split benchmark
// results.
package host

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
)

const (
	stopTimeout = 20 * time.Second       // longer than closeTimeout, which bounds the child, also where others take most of the CPUs
	outputDelay = time.Second            // how long to read output after the child's end: its own children may hold the pipe open
	pausePoll   = 100 * time.Microsecond // between checks whether a child has stopped
)

// Host is a server in another process. Its methods may be called from many
// goroutines at once.
type Host struct {
	config   Config
	secret   string
	cmd      *exec.Cmd
	lifeline *os.File // the child lives until this end is closed
	output   tail.Tail
	client   http.Client
	ready    Ready
	cost     Figures // what one reading of the figures adds to them
	done     chan struct{}

	mu     sync.Mutex
	intent intent
	err    error

	stopOnce sync.Once
	stopErr  error
}

// intent is what this process wants of a child. It decides whether the child's end is
// an error.
type intent int

const (
	toServe intent = iota
	toStop
	toDie
)

// Addr returns the address, host:port or a path, on which the server listens.
func (h *Host) Addr() string { return h.ready.Addr }

// Addrs returns all addresses at which the server listens, Addr first.
func (h *Host) Addrs() []string {
	if len(h.ready.Addrs) == 0 {
		return []string{h.ready.Addr}
	}
	return h.ready.Addrs
}

// Ready returns what the child reported when it was ready.
func (h *Host) Ready() Ready { return h.ready }

// Done is closed when the child has ended.
func (h *Host) Done() <-chan struct{} { return h.done }

// Err returns nil while the child runs and after an orderly Stop. Otherwise it says
// how the child died, with the last 16 KiB of its output.
func (h *Host) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// Pause stops the child (SIGSTOP) until Resume; its connections stay open. On Linux
// it returns when every thread of the child has stopped, on other systems perhaps a
// moment before.
func (h *Host) Pause() error {
	if err := process.Pause(h.cmd.Process); err != nil {
		return fmt.Errorf("host: pause %s: %w", h.config.Serve, err)
	}
	for deadline := time.Now().Add(h.config.ControlTimeout); !process.Paused(h.cmd.Process.Pid); {
		if h.await(pausePoll) || time.Now().After(deadline) {
			return fmt.Errorf("host: pause %s: it did not stand still", h.config.Serve)
		}
	}
	return nil
}

// Resume continues a paused child (SIGCONT). It does nothing if the child is not
// paused.
func (h *Host) Resume() error {
	if err := process.Resume(h.cmd.Process); err != nil {
		return fmt.Errorf("host: resume %s: %w", h.config.Serve, err)
	}
	return nil
}

// Kill ends the child at once (SIGKILL) and waits until it is gone. It is for
// servers that hang.
func (h *Host) Kill() {
	h.want(toDie)
	_ = h.cmd.Process.Kill() // fails only when the child has ended
	h.await(stopTimeout)
}

// Stop ends the child in order: it closes the lifeline, gives the child 20 s to close
// its server and end, and then kills it. The error says that the child had died
// before, or how it failed to stop, with the end of its output; it is nil after Kill.
// Later calls return the same error as the first.
func (h *Host) Stop() error {
	h.stopOnce.Do(func() { h.stopErr = h.stop() })
	return h.stopErr
}

func (h *Host) stop() error {
	if h.want(toStop) == toDie {
		return nil
	}
	_ = h.Resume() // fails only when the child has ended
	h.lifeline.Close()
	if h.await(stopTimeout) {
		return h.Err()
	}
	h.Kill()
	return fmt.Errorf("host: the server of %s did not stop within %v and was killed%s", h.config.Serve, stopTimeout, h.lastOutput())
}

// want sets the intent and returns the previous one. It changes nothing if the child
// has ended.
func (h *Host) want(i intent) (before intent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before = h.intent
	h.intent = max(h.intent, i)
	return before
}

// await reports whether the child ended within d.
func (h *Host) await(d time.Duration) bool {
	select {
	case <-h.done:
		return true
	case <-time.After(d):
		return false
	}
}

// lastOutput returns the last of the child's output, as the end of a message.
func (h *Host) lastOutput() string {
	if out := h.output.String(); out != "" {
		return "; its last output:\n" + out
	}
	return "; it printed nothing"
}
