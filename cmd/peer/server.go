package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/ports"
)

const (
	startTimeout = time.Minute // enough for a JVM on a busy machine
	stopTimeout  = 10 * time.Second
)

// server is a running server in a process of its own.
type server struct {
	addr  string
	cmd   *exec.Cmd
	stdin io.Closer
}

// start starts the server in a directory.
func (l language) start(ctx context.Context, dir string) (*server, error) {
	var words []string
	for _, word := range append([]string{l.env}, l.command...) {
		words = append(words, strings.Replace(word, "%", dir, 1))
	}
	return start(ctx, words[0], words[1], words[2:]...)
}

// start runs a command with a free port as its last argument and one more variable of the
// environment, env, which may be empty. It returns when the command has printed that it is ready.
func start(ctx context.Context, env, command string, args ...string) (*server, error) {
	port, err := ports.Free()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command, append(args, strconv.Itoa(port))...)
	cmd.Env = environ.Measured(cmd.Environ())
	if env != "" {
		cmd.Env = append(cmd.Env, env)
	}
	ends.WithParent(cmd, syscall.SIGKILL)
	var last tail
	cmd.Stderr = &last
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), cmd, stdin}
	timer := time.AfterFunc(startTimeout, func() { cmd.Process.Kill() })
	err = awaitReady(stdout, port)
	if !timer.Stop() {
		err = fmt.Errorf("not ready within %v", startTimeout)
	}
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, fmt.Errorf("%s: %w%s", cmd, err, last)
	}
	go io.Copy(io.Discard, stdout)
	return s, nil
}

// awaitReady reads up to the line "ready PORT".
func awaitReady(out io.Reader, port int) error {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == "ready "+strconv.Itoa(port) {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return errors.New("it ended before it was ready")
}

// stop closes the server's standard input and waits until it has ended.
func (s *server) stop() error {
	s.stdin.Close()
	timer := time.AfterFunc(stopTimeout, func() { s.cmd.Process.Kill() })
	s.cmd.Wait() // its error does not matter: the server has ended
	if !timer.Stop() {
		return fmt.Errorf("%s did not end with its input and was killed", s.cmd)
	}
	return nil
}

// tail keeps what was written last.
type tail []byte

const lastOutput = 4 << 10

// String has the lines one below the other, indented.
func (t tail) String() (text string) {
	for line := range strings.Lines(string(t)) {
		text += "\n\t" + foreign.Line(strings.TrimSpace(line))
	}
	return text
}

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if n := len(*t) - lastOutput; n > 0 {
		*t = append((*t)[:0], (*t)[n:]...)
	}
	return len(p), nil
}
