//go:build unix

package cell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/server"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// seen is what the server saw.
type seen = server.Seen

// patience is how long a server may take to answer a question about its run.
const patience = 20 * time.Second

// process is a server in a process of its own.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser
	address  string
	first    chan time.Time      // when the first call arrived
	messages chan server.Message // all others; closed when the server has ended
	ended    error               // how it ended; to be read when messages is closed
	stderr   bounded.Buffer
}

// startServer returns when the server listens.
func startServer(ctx context.Context, self string, p tool.Protocol, plan planted.Plan) (*process, error) {
	job, err := json.Marshal(server.Job{Protocol: p, Plan: plan})
	if err != nil {
		return nil, err
	}
	s := &process{first: make(chan time.Time, 1), messages: make(chan server.Message, 1), stderr: bounded.Buffer{Most: bounded.Messages}}
	s.cmd = exec.CommandContext(ctx, self, ServeVerb, string(job))
	s.cmd.SysProcAttr, s.cmd.Stderr, s.cmd.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, &s.stderr, time.Second
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(stdout)
	m, err := s.next()
	if err != nil {
		s.stop()
		return nil, err
	}
	s.address = m.Ready
	return s, nil
}

// read reads messages until the server has ended.
func (s *process) read(stdout io.Reader) {
	defer close(s.messages)
	lines := json.NewDecoder(stdout)
	for {
		var m server.Message
		if err := lines.Decode(&m); err != nil {
			s.ended = s.cmd.Wait()
			return
		}
		if m.First != nil {
			s.first <- *m.First
			continue
		}
		s.messages <- m
	}
}

// next returns the next message.
func (s *process) next() (server.Message, error) {
	select {
	case m, ok := <-s.messages:
		if ok {
			return m, nil
		}
		return m, s.death()
	case <-time.After(patience):
		return server.Message{}, fmt.Errorf("the server has not answered within %v", patience)
	}
}

// death says how the server ended, which it has.
func (s *process) death() error {
	if last := lastLine(&s.stderr); last != "" {
		return fmt.Errorf("the server died: %v: %s", s.ended, last)
	}
	return fmt.Errorf("the server died: %v", s.ended)
}

// died returns an error if the server has ended.
func (s *process) died() error {
	select {
	case _, ok := <-s.messages:
		if !ok {
			return s.death()
		}
	default:
	}
	return nil
}

// begin has the calls from now on be those of the run.
func (s *process) begin() error {
	_, err := s.ask(server.Begin)
	return err
}

// report returns what the server saw of the run.
func (s *process) report() (server.Seen, error) {
	m, err := s.ask(server.Report)
	if err == nil && m.Seen == nil {
		err = errors.New("the server has not said what it saw")
	}
	if err != nil {
		return server.Seen{}, err
	}
	return *m.Seen, nil
}

func (s *process) ask(line string) (server.Message, error) {
	if _, err := io.WriteString(s.stdin, line+"\n"); err != nil {
		if died := s.died(); died != nil {
			err = died
		}
		return server.Message{}, err
	}
	return s.next()
}

// stop ends the server and returns when it has ended.
func (s *process) stop() {
	s.stdin.Close()
	timer := time.AfterFunc(time.Second, func() { s.cmd.Process.Kill() })
	defer timer.Stop()
	for range s.messages {
	}
}
