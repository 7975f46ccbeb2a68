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
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/tail"
)

const (
	envServe     = "RPCBENCH_SERVE"   // what a child serves
	envArg       = "RPCBENCH_ARG"     // Config.Arg
	envPinned    = "RPCBENCH_PINNED"  // the CPUs on which PinSelf executed the process again
	envAvailable = "RPCBENCH_CPUS"    // the CPUs it had before
	envListen    = "RPCBENCH_LISTEN"  // the address that a child's server listens on
	envControl   = "RPCBENCH_CONTROL" // the address of its control server
	envAddrs     = "RPCBENCH_ADDRS"   // Config.Addrs
	envPort      = "RPCBENCH_PORT"    // Config.Port
	envNotBefore = "RPCBENCH_START"   // Config.NotBefore, in nanoseconds since 1970
	envProcs     = "GOMAXPROCS"
)

// EnvToken is the environment variable of the token for servers on another
// machine, see package remote. No child inherits it.
const EnvToken = "RPCBENCH_TOKEN"

const (
	defaultStartTimeout   = 30 * time.Second
	defaultControlTimeout = 30 * time.Second
	stopTimeout           = 5 * time.Second        // longer than closeTimeout, which bounds the child
	outputDelay           = time.Second            // how long to read output after the child's end: its own children may hold the pipe open
	pausePoll             = 100 * time.Microsecond // between checks whether a child has stopped
	lastOutput            = 16 << 10               // bytes of output kept
)

// Config says what to start and where. Only Serve must be set.
type Config struct {
	// Serve is what the child serves: what Serving returns there.
	Serve string
	// Arg is passed to start in the child. It may hold a password: no message
	// contains it, and processes that the child starts do not inherit it.
	Arg string
	// Listen is the IP address on which the child's server listens, or the path of the
	// Unix socket, see ListenAddr; "" stands for 127.0.0.1. Figures and profiles stay on
	// the loopback interface.
	Listen string
	// Port is the port on which the child's server listens, for one that comes back
	// where it was; 0 stands for any free one.
	Port int
	// NotBefore is the earliest time at which the child starts its server; the child
	// is otherwise ready by then. Zero stands for at once.
	NotBefore time.Time
	// Addrs is at how many addresses the child's server should listen, see Addrs; 0
	// stands for 1. A client has ports for about 28,000 connections to one address.
	Addrs int
	// CPUs are the CPUs that the child may use; if empty, those of this process.
	CPUs CPUSet
	// Procs is the child's GOMAXPROCS. With 0 the runtime sets it from the CPUs
	// that the child may use; this process's GOMAXPROCS has no influence.
	Procs int
	// Link has the child run at the far end of a link. Server and control server
	// listen there, and Listen is ignored. With nil the child shares the network
	// of this process.
	Link *link.Link
	// Output is given all that the child prints as well; nil for nothing.
	Output io.Writer
	// StartTimeout bounds the time until the child is ready; 0 stands for 30 s.
	StartTimeout time.Duration
	// ControlTimeout bounds every control call; 0 stands for 30 s, which suits
	// busy machines too.
	ControlTimeout time.Duration
}

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

// Start executes the running binary again, without arguments, to serve c.Serve, and
// returns when the child is ready. ctx bounds the start only, not the child's life.
// The error contains the end of the child's output.
func Start(ctx context.Context, c Config) (*Host, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	h := &Host{config: c.withDefaults(), secret: newSecret(), done: make(chan struct{})}
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
	case c.Port > 0 && c.Addrs > 1:
		return fmt.Errorf("host: Config.Port is %d and Config.Addrs is %d; one port is one address", c.Port, c.Addrs)
	case isPath(c.Listen) && (c.Port > 0 || c.Addrs > 1):
		return fmt.Errorf("host: Config.Listen is %s, Config.Port is %d and Config.Addrs is %d; a path is one address, without a port", c.Listen, c.Port, c.Addrs)
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
		h.await(outputDelay) // a child that failed ends by itself; its output then says why
	}
	h.Kill()
	return fmt.Errorf("host: start %s: %w%s", h.config.Serve, err, h.lastOutput())
}

// launch starts the process and returns the reading end of the readiness pipe.
func (h *Host) launch() (ready *os.File, err error) {
	cmd, err := self.Command(context.Background())
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
	h.cmd = h.command(cmd, lifelineEnd, readyEnd)
	started := make(chan error)
	go h.run(started)
	if err := <-started; err != nil {
		lifeline.Close()
		ready.Close()
		return nil, err
	}
	return ready, nil
}

// command completes cmd. It passes no arguments: some frameworks parse flags of their own,
// and fail on those of a test binary.
func (h *Host) command(cmd *exec.Cmd, lifelineEnd, readyEnd *os.File) *exec.Cmd {
	cmd.Env = append(childEnv(environ.Child(os.Environ()), h.config), envSecret+"="+h.secret)
	cmd.ExtraFiles = []*os.File{lifelineFD - 3: lifelineEnd, readyFD - 3: readyEnd}
	cmd.Stdout = &h.output
	if h.config.Output != nil {
		cmd.Stdout = io.MultiWriter(&h.output, h.config.Output)
	}
	cmd.Stderr = cmd.Stdout
	cmd.WaitDelay = outputDelay
	cmd.SysProcAttr = childAttr()
	return cmd
}

// run starts the child, sends the error or nil on started, and waits for the child's
// end.
//
// The child inherits the CPUs of the thread that starts it, and the kernel kills the
// child when that thread ends. The thread therefore stays locked until the child has
// ended, and ends with this goroutine.
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
	_ = h.cmd.Wait() // ProcessState holds the same error
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

// lastOutput returns the last of the child's output, as the end of a message.
func (h *Host) lastOutput() string {
	if out := h.output.String(); out != "" {
		return "; its last output:\n" + out
	}
	return "; it printed nothing"
}

// childEnv returns the environment of the child of c. It removes variables that are
// meant for this process only, such as GOMAXPROCS.
func childEnv(env []string, c Config) []string {
	env = append(withoutEnv(env, envServe, envArg, envPinned, envAvailable, envListen, envControl, envAddrs, envPort, envNotBefore, envProcs, envSecret, EnvToken), envServe+"="+c.Serve)
	if c.Arg != "" {
		env = append(env, envArg+"="+c.Arg)
	}
	if c.Listen != "" {
		env = append(env, envListen+"="+c.Listen)
	}
	if c.Link != nil {
		env = append(env, envListen+"="+c.Link.FarIP(), envControl+"="+c.Link.FarIP())
	}
	if c.Addrs > 1 {
		env = append(env, envAddrs+"="+strconv.Itoa(c.Addrs))
	}
	if c.Port > 0 {
		env = append(env, envPort+"="+strconv.Itoa(c.Port))
	}
	if !c.NotBefore.IsZero() {
		env = append(env, envNotBefore+"="+strconv.FormatInt(c.NotBefore.UnixNano(), 10))
	}
	if c.Procs > 0 {
		env = append(env, envProcs+"="+strconv.Itoa(c.Procs))
	}
	return env
}

// withoutEnv returns a copy of env without the variables of these names.
func withoutEnv(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(names, name)
	})
}

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

// CPU returns the user and system time that the child has used so far, or after its
// end in all. It includes the cost of calls of Figures. On Linux the kernel is asked,
// which costs the child nothing and works while it is paused; on other systems CPU
// calls Figures.
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

// Pause stops the child (SIGSTOP) until Resume; its connections stay open. On Linux
// it returns when every thread of the child has stopped, on other systems perhaps a
// moment before.
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

// Resume continues a paused child (SIGCONT). It does nothing if the child is not
// paused.
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

// Stop ends the child in order: it closes the lifeline, gives the child 5 s to close
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
