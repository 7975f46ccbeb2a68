// Package host runs servers in a process of their own: the running binary,
// executed again.
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
// Three channels connect the two. The lifeline is a pipe that the parent never
// writes to: its end-of-file ends the child, however the parent died. The
// readiness pipe carries one line of JSON from the child. HTTP, on the address
// that the server listens on, serves figures and profiles. What the child prints is kept, never
// passed on, because a stray line splits benchmark results.
package host

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
)

const (
	envServe     = "RPCBENCH_SERVE"   // what a child serves
	envArg       = "RPCBENCH_ARG"     // how, if there is more to say
	envPinned    = "RPCBENCH_PINNED"  // the CPUs PinSelf executed the process again on
	envAvailable = "RPCBENCH_CPUS"    // the CPUs it had before
	envListen    = "RPCBENCH_LISTEN"  // the address that a child's server listens on
	envControl   = "RPCBENCH_CONTROL" // the address that its figures are on
	envProcs     = "GOMAXPROCS"
)

// EnvToken is the environment variable of the token for servers on another
// machine, see package remote. No child inherits it.
const EnvToken = "RPCBENCH_TOKEN"

const (
	defaultStartTimeout   = 30 * time.Second
	defaultControlTimeout = 30 * time.Second
	stopTimeout           = 5 * time.Second        // longer than closeTimeout, which bounds the child
	outputDelay           = time.Second            // for output still held open by others when the child has ended
	pausePoll             = 100 * time.Microsecond // from one look at whether a child stands still to the next
	lastOutput            = 16 << 10               // bytes of output kept
)

// Config says what to start and where. Only Serve must be set.
type Config struct {
	// Serve is what the child serves: what Serving returns there.
	Serve string
	// Arg is handed to start in the child. It may hold a password: no message
	// has it, and what the child starts does not inherit it.
	Arg string
	// Listen is the IP address on which the child's server listens, see AnyPort;
	// "": 127.0.0.1. Figures and profiles stay on the loopback interface.
	Listen string
	// CPUs are the CPUs the child may use; empty: those of this process.
	CPUs CPUSet
	// Procs is the child's GOMAXPROCS; 0: the runtime chooses from the CPUs
	// the child may use, whatever GOMAXPROCS this process has.
	Procs int
	// Link is the link at whose far end the child is started and listens, with
	// its figures, whatever Listen says; nil: it shares the network of this
	// process.
	Link *link.Link
	// StartTimeout bounds the time until the child is ready; 0: 30 s.
	StartTimeout time.Duration
	// ControlTimeout bounds every control call; 0: 30 s, for machines that others
	// keep busy.
	ControlTimeout time.Duration
}

// Host is a server in another process. Its methods may be called from many
// goroutines at once.
type Host struct {
	config   Config
	cmd      *exec.Cmd
	lifeline *os.File // the child lives until this end is closed
	output   tail
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

// intent is what this process wants of a child; how a child ended is judged
// by it.
type intent int

const (
	toServe intent = iota
	toStop
	toDie
)

// Start executes the running binary again, without arguments, to serve
// c.Serve, and returns when the child is ready. ctx bounds the start only, not
// the child's life. When the start fails, the error carries the last of the
// child's output.
func Start(ctx context.Context, c Config) (*Host, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	h := &Host{config: c.withDefaults(), done: make(chan struct{})}
	h.client.Transport = &http.Transport{DisableCompression: true}
	if err := h.start(ctx); err != nil {
		return nil, err
	}
	return h, nil
}

func (c Config) check() error {
	switch id := Serving(); {
	case id != "":
		return fmt.Errorf("host: this process was itself started to serve %q: its TestMain must call host.Serve before it runs anything", id)
	case c.Serve == "":
		return errors.New("host: Config.Serve is empty: nothing to serve")
	case c.Procs < 0:
		return fmt.Errorf("host: Config.Procs is %d; want 0 or more", c.Procs)
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.ControlTimeout <= 0 {
		c.ControlTimeout = defaultControlTimeout
	}
	return c
}

// start launches the child, waits for it and calibrates its figures. A child
// that fails on the way is killed.
func (h *Host) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, h.config.StartTimeout,
		fmt.Errorf("not ready within %v", h.config.StartTimeout))
	defer cancel()
	ready, err := h.launch()
	if err != nil {
		return fmt.Errorf("host: start %s: %w", h.config.Serve, err)
	}
	defer ready.Close()
	if h.ready, err = awaitReady(ctx, ready); err == nil {
		h.cost, err = h.calibrate(ctx)
	}
	if err == nil {
		return nil
	}
	if ctx.Err() == nil {
		h.await(outputDelay) // a child that failed ends by itself, with more to tell
	}
	h.Kill()
	return fmt.Errorf("host: start %s: %w%s", h.config.Serve, err, h.lastOutput())
}

// launch starts the process and returns the end of the readiness pipe to read.
func (h *Host) launch() (ready *os.File, err error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	lifelineEnd, lifeline, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer lifelineEnd.Close()
	ready, readyEnd, err := os.Pipe()
	if err != nil {
		lifeline.Close()
		return nil, err
	}
	defer readyEnd.Close()
	h.lifeline = lifeline
	h.cmd = h.command(exe, lifelineEnd, readyEnd)
	started := make(chan error)
	go h.run(started)
	if err := <-started; err != nil {
		lifeline.Close()
		ready.Close()
		return nil, err
	}
	return ready, nil
}

// command passes no arguments: frameworks that parse flags of their own
// stumble over those of a test binary.
func (h *Host) command(exe string, lifelineEnd, readyEnd *os.File) *exec.Cmd {
	cmd := exec.Command(exe)
	cmd.Env = childEnv(os.Environ(), h.config)
	cmd.ExtraFiles = []*os.File{lifelineFD - 3: lifelineEnd, readyFD - 3: readyEnd}
	cmd.Stdout = &h.output
	cmd.Stderr = &h.output
	cmd.WaitDelay = outputDelay
	cmd.SysProcAttr = childAttr()
	return cmd
}

// run starts the child, says so on started and waits for its end.
//
// The child inherits the CPUs of the thread that starts it, and the kernel
// ties its death signal to that thread. So the thread belongs to the child:
// it stays locked until the child has ended and goes with this goroutine.
func (h *Host) run(started chan<- error) {
	runtime.LockOSThread()
	if err := pinThread(h.config.CPUs); err != nil {
		started <- err
		return
	}
	err := h.config.Link.Inside(h.cmd.Start)
	started <- err
	if err != nil {
		return
	}
	_ = h.cmd.Wait() // ProcessState tells the same
	h.ended()
}

// ended notes how the child ended.
func (h *Host) ended() {
	h.lifeline.Close()
	h.client.CloseIdleConnections()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.intent != toStop || !h.cmd.ProcessState.Success() {
		h.err = fmt.Errorf("host: the server of %s died: %s%s", h.config.Serve, h.cmd.ProcessState, h.lastOutput())
	}
	close(h.done)
}

// lastOutput ends a message with what the child printed last.
func (h *Host) lastOutput() string {
	if out := h.output.String(); out != "" {
		return "; its last output:\n" + out
	}
	return "; it printed nothing"
}

// childEnv is env with what is meant for the child of c and without what was
// meant for other processes: GOMAXPROCS may be this process's own.
func childEnv(env []string, c Config) []string {
	env = append(withoutEnv(env, envServe, envArg, envPinned, envAvailable, envListen, envControl, envProcs, EnvToken), envServe+"="+c.Serve)
	if c.Arg != "" {
		env = append(env, envArg+"="+c.Arg)
	}
	if c.Listen != "" {
		env = append(env, envListen+"="+c.Listen)
	}
	if c.Link != nil {
		env = append(env, envListen+"="+c.Link.FarIP(), envControl+"="+c.Link.FarIP())
	}
	if c.Procs > 0 {
		env = append(env, envProcs+"="+strconv.Itoa(c.Procs))
	}
	return env
}

// withoutEnv is a copy of env without the variables of these names.
func withoutEnv(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}

// Addr is the address, host:port, that the server listens on.
func (h *Host) Addr() string { return h.ready.Addr }

// Ready is what the child said when it was ready.
func (h *Host) Ready() Ready { return h.ready }

// Done is closed when the child has ended.
func (h *Host) Done() <-chan struct{} { return h.done }

// Err is nil while the child runs and after an orderly Stop; otherwise it says
// how the child died, with the last 16 KiB of its output.
func (h *Host) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

// CPU is the user and system time the child has used so far, and after its end
// what it used in all. On Linux that costs the child nothing, even while it is
// paused; elsewhere, it is a call of Figures. The cost of figures read in
// between is in it.
func (h *Host) CPU() (time.Duration, error) {
	select {
	case <-h.done:
		s := h.cmd.ProcessState
		return s.UserTime() + s.SystemTime(), nil
	default:
	}
	if d, err := processCPU(h.cmd.Process.Pid); err == nil {
		return d, nil
	}
	f, err := h.Figures(context.Background())
	return f.CPU, err
}

// Pause stops the child (SIGSTOP) until Resume; its connections stay open. On
// Linux it returns when every thread of the child stands still, elsewhere
// perhaps a moment before.
func (h *Host) Pause() error {
	if err := pauseProcess(h.cmd.Process); err != nil {
		return fmt.Errorf("host: pause %s: %w", h.config.Serve, err)
	}
	for deadline := time.Now().Add(h.config.ControlTimeout); !isPaused(h.cmd.Process.Pid); {
		if h.await(pausePoll) || time.Now().After(deadline) {
			return fmt.Errorf("host: pause %s: it did not stand still", h.config.Serve)
		}
	}
	return nil
}

// Resume lets a paused child go on (SIGCONT); otherwise it does nothing.
func (h *Host) Resume() error {
	if err := resumeProcess(h.cmd.Process); err != nil {
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

// Stop ends the child in order: it closes the lifeline and gives the child 5 s
// to close its server and go, then kills it. The error says that the child had
// died before it was asked to stop, or how it failed to, with the last of its
// output; it is nil after Kill. Later calls return what the first did.
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

// want sets what is to become of the child and returns what was before. What
// was asked of a child that had ended already changes nothing.
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
