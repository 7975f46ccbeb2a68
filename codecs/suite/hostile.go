package suite

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/environ"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	build "github.com/rpcbench/rpcbench/codecs/suite/internal/self"
)

// Limits of a victim: the memory it may have, and the time it may take for an
// input before it is killed.
const (
	victimMemory  = 6 << 30
	victimTimeout = 20 * time.Second
	// greedyMemory is what a decoder may take for one input, of which none is larger
	// than 10 MB. Several that take more at once end a process.
	greedyMemory = 256 << 20
	// victimDeaths is how often an entry is started again before the rest of
	// its inputs are left out.
	victimDeaths = 20
)

// verdict is what became of an entry's mutated inputs.
type verdict struct {
	OK, Errors, Panics int
	Reached            int    // it touched memory that is not its own, or wrote into its input
	Greedy             int    // it took more than greedyMemory, and lived
	Killed             int    // its process ended
	LeftOut            int    // after too many deaths
	Largest            uint64 // bytes taken for one input, at most; of those that the process survived
	Worst              string // the worst that happened, and to what input

	badness int // of Worst
}

// inputs is how many there were.
func (v verdict) inputs() int {
	return v.OK + v.Errors + v.Panics + v.Reached + v.Greedy + v.Killed + v.LeftOut
}

// attackAll gives an entry n mutated messages in processes of their own, which
// have limited memory: what a decoder does there ends nothing but them.
func attackAll(e Entry, n int, timeout time.Duration) (v verdict, err error) {
	for next, deaths := 0, 0; next < n; {
		if deaths == victimDeaths {
			v.LeftOut = n - next
			break
		}
		last, err := attackFrom(e, next, n, timeout, &v)
		if err != nil {
			return v, err
		}
		if next = last + 1; next < n {
			deaths++
		}
	}
	return v, nil
}

// noVictims says why the test of hostile input cannot run here; "" if it can.
func noVictims() string {
	switch {
	case racing:
		return "the race detector needs more address space than victims have"
	case !canLimitMemory:
		return runtime.GOOS + " cannot limit the memory of a victim"
	}
	return ""
}

// attackFrom starts a victim on the inputs from next to n and returns the last
// one that it took.
func attackFrom(e Entry, next, n int, timeout time.Duration, v *verdict) (last int, err error) {
	p, err := startVictim(e, next, n, timeout)
	if err != nil {
		return next, err
	}
	defer p.slow.Stop()
	s, err := p.follow(next-1, v)
	if err != nil {
		p.cmd.Process.Kill()
	}
	death := p.cmd.Wait()
	switch {
	case err != nil:
		return s.last, fmt.Errorf("%s: %w", e.ID(), err)
	case s.ended && death == nil:
		return s.last, nil
	case s.last < next:
		return s.last, fmt.Errorf("%s: the victim took no input: %s", e.ID(), p.reason(death))
	}
	v.Killed++
	v.worse(4, fmt.Sprintf("%sinput %d, %s: %s", s.late(), s.last, s.about, p.reason(death)))
	return s.last, nil
}

// process is a victim as the test sees it.
type process struct {
	cmd     *exec.Cmd
	reports *os.File
	stderr  beginning
	timeout time.Duration // for an input
	slow    *time.Timer   // ends it
	slept   atomic.Bool   // until slow ended it
}

// startVictim starts a victim. It reports to a file of its own, since a decoder may
// print whatever it likes.
func startVictim(e Entry, next, n int, timeout time.Duration) (*process, error) {
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
	p.cmd.Env = append(environ.Child(os.Environ()), fmt.Sprintf("%s=%s %d %d", victimEnv, e.ID(), next, n), "GOTRACEBACK=none", "MALLOC_ARENA_MAX=1")
	p.cmd.Stderr, p.cmd.ExtraFiles = &p.stderr, []*os.File{w}
	p.cmd.WaitDelay = time.Second
	if err := p.cmd.Start(); err != nil {
		return nil, errors.Join(err, reports.Close())
	}
	p.slow = time.AfterFunc(timeout, func() {
		p.slept.Store(true)
		p.cmd.Process.Kill()
	})
	return p, nil
}

// steps are how far a victim came.
type steps struct {
	last  int     // the input that it took last
	about string  // what was done to that
	what  outcome // that came of it
	known bool    // whether what is known
	ended bool    // whether it said that it was done
}

// late says that a victim ended after what it took last.
func (s steps) late() string {
	if s.known {
		return "after "
	}
	return ""
}

// follow reads what a victim reports and adds it to the verdict. What came of an input
// counts once the next has begun: until then the process may still die of it.
func (p *process) follow(before int, v *verdict) (s steps, err error) {
	defer p.reports.Close()
	s.last = before
	for lines := bufio.NewScanner(p.reports); lines.Scan(); {
		p.slow.Reset(p.timeout)
		number, rest, _ := strings.Cut(lines.Text(), " ")
		if s.known && !strings.HasPrefix(rest, "{") {
			v.add(s.what)
			s.known = false
		}
		if number == "end" {
			s.ended = true
			return s, nil
		}
		if s.last, err = strconv.Atoi(number); err != nil {
			return s, fmt.Errorf("the victim reported %q", foreign.Line(lines.Text()))
		}
		if !strings.HasPrefix(rest, "{") {
			s.about = rest
			continue
		}
		if err := json.Unmarshal([]byte(rest), &s.what); err != nil {
			return s, fmt.Errorf("the victim reported %q: %w", foreign.Line(lines.Text()), err)
		}
		s.known = true
	}
	return s, nil
}

// crash is how the first line begins that the runtime prints when a program ends of
// itself.
var crash = regexp.MustCompile(`^(panic|fatal error|runtime|SIG[A-Z]+|unexpected fault address)\b`)

// reason is why a victim died: in the words of the runtime, where it had time for
// them.
func (p *process) reason(death error) string {
	said, _, _ := strings.Cut(strings.TrimSpace(string(p.stderr.text)), "\n")
	said = foreign.Line(said)
	how := "exit status 0"
	if death != nil {
		how = death.Error()
	}
	switch {
	case p.slept.Load():
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

func (b *beginning) Write(p []byte) (int, error) {
	const most = 64 << 10
	b.text = append(b.text, p[:min(len(p), most-len(b.text))]...)
	return len(p), nil
}

// add counts an outcome.
func (v *verdict) add(o outcome) {
	v.Largest = max(v.Largest, o.Taken)
	switch o.What {
	case ok:
		v.OK++
	case failed:
		v.Errors++
	case panicked:
		v.Panics++
		v.worse(1, o.About)
	case reached:
		v.Reached++
		v.worse(3, o.About)
	case greedy:
		v.Greedy++
		v.worse(2, o.About)
	}
}

// worse keeps the first of what is the worst.
func (v *verdict) worse(badness int, about string) {
	if badness > v.badness {
		v.badness, v.Worst = badness, about
	}
}

// hazard is the worst that happened.
func (v verdict) hazard() Hazard {
	switch {
	case v.Killed+v.Reached+v.Greedy > 0:
		return Kills
	case v.Panics > 0:
		return Panics
	}
	return Safe
}
