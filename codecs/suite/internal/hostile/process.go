package hostile

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/environ"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	build "github.com/rpcbench/rpcbench/codecs/suite/internal/self"
)

// process is a victim as its parent sees it.
type process struct {
	cmd      *exec.Cmd
	reports  *os.File
	stderr   beginning
	timeout  time.Duration // for an input
	killer   *time.Timer   // ends the process after timeout
	timedOut atomic.Bool   // whether killer has ended it
}

// startVictim starts a victim. It reports to a file of its own, since a decoder may print
// to both outputs.
func startVictim(id string, next, n int, timeout time.Duration) (*process, error) {
	cmd, err := build.Command(context.Background())
	if err != nil {
		return nil, err
	}
	reports, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	p := &process{cmd: cmd, reports: reports, timeout: timeout}
	// With cgo the C library reserves 128 MiB for a moment with each thread that starts: two at
	// a time would be counted as what an input takes. One arena for all threads ends that.
	p.cmd.Env = append(environ.Child(os.Environ()), fmt.Sprintf("%s=%s %d %d", victimEnv, id, next, n), "GOTRACEBACK=none", "MALLOC_ARENA_MAX=1")
	p.cmd.Stderr, p.cmd.ExtraFiles = &p.stderr, []*os.File{w}
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, reports.Close())
	}
	p.killer = time.AfterFunc(timeout, func() {
		p.timedOut.Store(true)
		p.cmd.Process.Kill()
	})
	return p, nil
}

// steps are how far a victim came.
type steps struct {
	last    int     // the input that it took last
	about   string  // what was done to that input
	outcome Outcome // of that input
	known   bool    // whether outcome has been reported
	ended   bool    // whether it said that it was done
}

// after says that a victim died after the outcome of its last input.
func (s steps) after() string {
	if s.known {
		return "after "
	}
	return ""
}

// follow reads what a victim reports and adds it to the verdict. An outcome counts once
// the next input has begun: until then the process may still die of the last one.
func (p *process) follow(before int, v *Verdict) (s steps, err error) {
	defer p.reports.Close()
	s.last = before
	for lines := bufio.NewScanner(p.reports); lines.Scan(); {
		p.killer.Reset(p.timeout)
		number, report, _ := strings.Cut(lines.Text(), " ")
		isOutcome := strings.HasPrefix(report, "{")
		if s.known && !isOutcome {
			v.add(s.outcome)
			s.known = false
		}
		if number == "end" {
			s.ended = true
			return s, nil
		}
		if s.last, err = strconv.Atoi(number); err != nil {
			return s, fmt.Errorf("the victim reported %q", foreign.Line(lines.Text()))
		}
		if !isOutcome {
			s.about = report
			continue
		}
		if err := json.Unmarshal([]byte(report), &s.outcome); err != nil {
			return s, fmt.Errorf("the victim reported %q: %w", foreign.Line(lines.Text()), err)
		}
		s.known = true
	}
	return s, nil
}

// crash matches the first line that the Go runtime prints when it ends a program.
var crash = regexp.MustCompile(`^(panic|fatal error|runtime|SIG[A-Z]+|unexpected fault address)\b`)

// reason says why a victim died: in the words of the runtime, where it had time for
// them.
func (p *process) reason(death error) string {
	said, _, _ := strings.Cut(strings.TrimSpace(string(p.stderr.text)), "\n")
	said = foreign.Line(said)
	how := "exit status 0"
	if death != nil {
		how = death.Error()
	}
	switch {
	case p.timedOut.Load():
		return fmt.Sprintf("took longer than %v", p.timeout)
	case crash.MatchString(said):
		return said
	case said != "":
		return fmt.Sprintf("ended its process, %s: %s", how, said)
	}
	return "ended its process, " + how
}

// beginning keeps the beginning of what is written to it.
type beginning struct{ text []byte }

// Write implements io.Writer.
func (b *beginning) Write(p []byte) (int, error) {
	const most = 64 << 10
	b.text = append(b.text, p[:min(len(p), most-len(b.text))]...)
	return len(p), nil
}
