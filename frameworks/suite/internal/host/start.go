package host

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// Start executes the running binary again, or c.File, without arguments, to serve c.Serve, and
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
	cmd := exec.Command(h.config.File)
	if h.config.File == "" {
		if cmd, err = self.Command(context.Background()); err != nil {
			return nil, err
		}
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
	wait, err := process.Place{CPUs: h.config.CPUs, Inside: h.config.Link.Inside}.Begin(h.cmd)
	if err != nil {
		lifeline.Close()
		ready.Close()
		return nil, err
	}
	go func() {
		_ = wait() // ProcessState holds the same error
		h.ended()
	}()
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
	return cmd
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
