package suite

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Limits of a victim: the memory it may have, and the time it may take for an
// input before it is killed.
const (
	victimMemory  = 6 << 30
	victimTimeout = 20 * time.Second
	// victimDeaths is how often an entry is started again before the rest of
	// its inputs are left out.
	victimDeaths = 20
)

// verdict is what became of an entry's mutated inputs.
type verdict struct {
	OK, Errors, Panics, Killed int
	LeftOut                    int    // after too many deaths
	Largest                    uint64 // bytes allocated for one input, at most; of those that the process survived
	Worst                      string // the worst that happened, and to what input
}

// attackAll gives an entry n mutated messages in processes of their own, which
// have limited memory: what a decoder does there ends nothing but them.
func attackAll(e Entry, n int) (v verdict, err error) {
	for next, deaths := 0, 0; next < n; {
		if deaths == victimDeaths {
			v.LeftOut = n - next
			break
		}
		last, err := attackFrom(e, next, n, &v)
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

// outcome is what a victim prints for each input, after the number of the input
// it is about to take.
type outcome struct {
	What      string `json:"what"` // ok, error or panic
	Allocated uint64 `json:"allocated"`
	About     string `json:"about"`
}

// attackFrom starts a victim on the inputs from next to n and returns the last
// one that it took.
func attackFrom(e Entry, next, n int, v *verdict) (last int, err error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", victimEnv, e.ID(), next, n), "GOTRACEBACK=none")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return next, err
	}
	if err := cmd.Start(); err != nil {
		return next, err
	}
	slow := time.AfterFunc(victimTimeout, func() { cmd.Process.Kill() })
	defer slow.Stop()
	last, pending := next-1, ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		slow.Reset(victimTimeout)
		number, rest, _ := strings.Cut(lines.Text(), " ")
		if last, err = strconv.Atoi(number); err != nil {
			return last, fmt.Errorf("%s: victim printed %q", e.ID(), lines.Text())
		}
		if pending = rest; strings.HasPrefix(rest, "{") {
			v.add(rest)
			pending = ""
		}
	}
	killed := cmd.Wait()
	if pending != "" {
		v.Killed++
		if v.Killed == 1 {
			v.Worst = fmt.Sprintf("input %d, %s: %s", last, pending, reason(killed, stderr.String()))
		}
		return last, nil
	}
	if killed != nil {
		return last, fmt.Errorf("%s: %w: %s", e.ID(), killed, stderr.String())
	}
	return last, nil
}

// reason is why a victim died, in its own words where it had time for them.
func reason(killed error, stderr string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if first != "" {
		return first
	}
	return fmt.Sprint(killed)
}

func (v *verdict) add(line string) {
	var o outcome
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		return
	}
	v.Largest = max(v.Largest, o.Allocated)
	switch o.What {
	case "ok":
		v.OK++
	case "error":
		v.Errors++
	case "panic":
		v.Panics++
		if v.Worst == "" {
			v.Worst = o.About
		}
	}
}

// hazard is the worst that happened.
func (v verdict) hazard() Hazard {
	switch {
	case v.Killed > 0:
		return Kills
	case v.Panics > 0:
		return Panics
	}
	return Safe
}

// victimEnv is set for victims: the entry, the first input and the last.
const victimEnv = "RPCBENCH_CODECS_VICTIM"

func isVictim() bool { return os.Getenv(victimEnv) != "" }

// victim is the whole life of a victim.
func victim(entries []Entry) (exitCode int) {
	id, numbers, _ := strings.Cut(os.Getenv(victimEnv), " ")
	var next, n int
	if _, err := fmt.Sscan(numbers, &next, &n); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	for _, e := range entries {
		if e.ID() == id {
			if err := e.suffer(next, n, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 2
			}
			return 0
		}
	}
	fmt.Fprintf(os.Stderr, "no entry %q\n", id)
	return 2
}

// suffer decodes the inputs one after the other.
func (e Entry) suffer(next, n int, out io.Writer) error {
	preys, err := e.preys()
	if err != nil {
		return err
	}
	if err := limitMemory(); err != nil {
		return err
	}
	debug.SetMemoryLimit(victimMemory / 2) // collect before the limit kills
	beds := make([]bed, len(preys))
	for i := next; i < n; i++ {
		m := mutationOf(preys, i)
		if beds[m.kind] == nil {
			beds[m.kind] = e.cases()[m.kind].make()
		}
		fmt.Fprintf(out, "%d %s\n", i, m.about)
		o := attack(beds[m.kind], m.src)
		if o.What == "panic" {
			o.About = fmt.Sprintf("input %d, %s: %s", i, m.about, o.About)
			beds[m.kind] = nil // who knows what it left behind
		}
		line, err := json.Marshal(o)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d %s\n", i, line)
	}
	return nil
}

// attack decodes an input and tells what came of it.
func attack(b bed, src []byte) (o outcome) {
	before := allocated()
	defer func() {
		if p := recover(); p != nil {
			o = outcome{What: "panic", About: fmt.Sprint(p)}
		}
		o.Allocated = allocated() - before
	}()
	if err := b.attack(src); err != nil {
		return outcome{What: "error"}
	}
	return outcome{What: "ok"}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
