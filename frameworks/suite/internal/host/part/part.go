// Package part runs the program again in a process that plays a part of it. Parent and
// process tell each other lines. Package host does more, and links a server of HTTP for
// it; this package is for programs that measure what they cost themselves.
//
// The process asks Playing which part it has, answers with Say what Heard yields, and
// ends with Heard.
package part

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/tail"
)

// envPart is the part that a process plays.
const envPart = "RPCBENCH_PART"

// mark begins the lines of Say. All else that a process prints is a framework's.
const mark = "rpcbench-part: "

// Playing returns the part that this process was started for; "" for none.
func Playing() string { return os.Getenv(envPart) }

// Say tells the parent a text as one line. It begins on a line of its own, even if
// somebody has printed half of one.
func Say(text string) { fmt.Printf("\n%s%s\n", mark, foreign.Line(text)) }

// Heard yields the lines that the parent tells, until the parent stops this process or
// ends itself.
func Heard() iter.Seq[string] {
	return func(yield func(string) bool) {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan() && yield(lines.Text()); {
		}
	}
}

// Process plays a part.
type Process struct {
	cmd    *exec.Cmd
	tells  io.WriteCloser
	said   chan said
	output tail.Tail
	rest   []byte // the beginning of a line
	began  time.Time
	ended  chan struct{}
}

// said is a line that the process said, and when it was read.
type said struct {
	line string
	at   time.Time
}

const (
	mostSaid    = 16              // lines that wait to be heard; more are dropped
	longest     = 64 << 10        // bytes of a line
	stopTimeout = 5 * time.Second // until a process is killed
)

// Start executes the running program again, without arguments.
func Start(playing string) (*Process, error) {
	cmd, err := self.Command(context.Background())
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd, said: make(chan said, mostSaid), ended: make(chan struct{})}
	p.cmd.Env = append(environ.Child(os.Environ()), envPart+"="+playing)
	p.cmd.Stdout, p.cmd.Stderr, p.cmd.WaitDelay = p, &p.output, time.Second
	if p.tells, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // ProcessState holds the same error
		close(p.ended)
	}()
	return p, nil
}

// Write takes what the process prints. It is for package exec.
func (p *Process) Write(b []byte) (int, error) {
	now := time.Now()
	p.rest = append(p.rest, b...)
	for {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole && len(line) < longest {
			return len(b), nil
		}
		p.take(string(line), now)
		p.rest = rest
	}
}

// take keeps a line that was said, and the end of the others.
func (p *Process) take(line string, now time.Time) {
	text, ok := strings.CutPrefix(line, mark)
	if !ok {
		fmt.Fprintln(&p.output, line)
		return
	}
	select {
	case p.said <- said{text, now}:
	default:
	}
}

// Tell tells the process a line.
func (p *Process) Tell(line string) error {
	_, err := io.WriteString(p.tells, line+"\n")
	return err
}

// Began is when the process was about to be executed.
func (p *Process) Began() time.Time { return p.began }

// Next waits for the next line that the process says, and tells when it was read. The
// error says that the process ended, or was silent for too long, and what it printed.
func (p *Process) Next(within time.Duration) (line string, at time.Time, err error) {
	select {
	case s := <-p.said:
		return s.line, s.at, nil
	case <-p.ended:
		select {
		case s := <-p.said:
			return s.line, s.at, nil
		default:
			err = errors.New("the process ended: " + p.cmd.ProcessState.String())
		}
	case <-time.After(within):
		err = fmt.Errorf("nothing for %v", within)
	}
	return "", time.Time{}, fmt.Errorf("%w%s", err, p.lastOutput())
}

// lastOutput is the end of a message.
func (p *Process) lastOutput() string {
	if out := strings.TrimSpace(p.output.String()); out != "" {
		return "; its last output: " + foreign.Line(out)
	}
	return "; it printed nothing"
}

// Stop ends the process: by the end of what it is told, or after 5 s by SIGKILL.
func (p *Process) Stop() {
	p.tells.Close()
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill() // fails only when it has ended
		<-p.ended
	}
}
