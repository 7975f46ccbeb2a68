package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// run runs all rounds and returns how many results it kept. A binary that
// fails does not keep the others from running: what can be measured is. Only
// the end of ctx ends it early.
func run(ctx context.Context, rounds, turns int, targets []target, args []string, progress io.Writer) (kept int, err error) {
	cases, expected, err := countAll(ctx, targets, args)
	if err == nil {
		err = keepOld(targets)
	}
	if err != nil {
		return 0, err
	}
	p := newReporter(progress, rounds, turns, cases)
	p.announce(expected * time.Duration(turns))
	failed := 0
	for turn := 0; turn < rounds*turns && ctx.Err() == nil; turn++ {
		p.round = turn/turns + 1
		failed += runTurn(ctx, turn, targets, args, cases, p)
		if turn == turns-1 && ctx.Err() == nil {
			p.learn()
		}
	}
	if failed > 0 {
		return p.kept, fmt.Errorf("%d of %d runs failed", failed, rounds*turns*len(targets))
	}
	return p.kept, nil
}

// order is the order of n binaries in a turn: n turns, each beginning with the
// binary that ended the turn before, and then the same backwards. So of three,
// which are base, base again and head of benchdiff, each runs in 6 turns as often
// first, second and third, and as often after each of the three. What a binary
// leaves behind, as heat or a full cache, does not favour any.
func order(turn, n int) []int {
	if turn %= 2 * n; turn >= n {
		list := order(2*n-1-turn, n)
		slices.Reverse(list)
		return list
	}
	list := make([]int, n)
	for i := range list {
		list[i] = (n - turn + i) % n
	}
	return list
}

// runTurn runs every binary once, and returns how many failed.
func runTurn(ctx context.Context, turn int, targets []target, args []string, cases []int, p *reporter) (failed int) {
	for _, i := range order(turn, len(targets)) {
		t := targets[i]
		err := runOnce(ctx, t, args, cases[i], p)
		if err == nil {
			continue
		}
		if interrupted(ctx) {
			return failed
		}
		failed++
		fmt.Fprintf(p.out, "benchrounds: round %d: %s: %v\n", p.round, t.binary, err)
	}
	return failed
}

// interrupted reports whether ctx has ended, which a binary that failed may
// have noticed first: a terminal's Ctrl-C goes to it as well.
func interrupted(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(100 * time.Millisecond):
		return false
	}
}

// countAll counts the cases of each binary, before anything is touched. expected
// is how long they take together, 0 if one of the binaries does not know.
func countAll(ctx context.Context, targets []target, args []string) (cases []int, expected time.Duration, err error) {
	cases = make([]int, len(targets))
	known := true
	for i, t := range targets {
		var takes time.Duration
		if cases[i], takes, err = countCases(ctx, t.binary, args); err != nil {
			return nil, 0, err
		}
		expected, known = expected+takes, known && takes > 0
	}
	if !known {
		expected = 0
	}
	return cases, expected, nil
}

// countCases asks a binary how many cases the arguments select, and how long they
// take; one without package suite does not know -cases, and runs each once.
func countCases(ctx context.Context, binary string, args []string) (n int, takes time.Duration, err error) {
	out, said, err := output(ctx, binary, args, "-cases")
	n, takes = len(strings.Fields(out)), estimated(said)
	if err != nil && firstLine(said) == ": flag provided but not defined: -cases" {
		out, said, err = output(ctx, binary, args, "-test.benchtime=1x")
		n, takes = countResults(out), 0
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s does not tell its cases: %w%s", binary, err, firstLine(said))
	}
	if n == 0 {
		return 0, 0, fmt.Errorf("%s has no case: -test.bench may match nothing", binary)
	}
	return n, takes, nil
}

func output(ctx context.Context, binary string, args []string, last string) (out, said string, err error) {
	cmd := command(ctx, binary, append(args[:len(args):len(args)], last))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

// estimated is the time in the line "# 12 cases, about 1m30s" that package suite
// says with -cases; 0 if there is none.
func estimated(said string) time.Duration {
	for line := range strings.Lines(said) {
		if _, text, found := strings.Cut(strings.TrimSpace(line), ", about "); found && strings.HasPrefix(line, "# ") {
			d, _ := time.ParseDuration(text)
			return d
		}
	}
	return 0
}

func countResults(out string) (n int) {
	for line := range strings.Lines(out) {
		if _, ok := result(line); ok {
			n++
		}
	}
	return n
}

// firstLine is the first line that a failed command said: package flag goes
// on with the usage of all flags.
func firstLine(said string) string {
	line, _, _ := strings.Cut(said, "\n")
	if line == "" {
		return ""
	}
	return ": " + line
}

// patience is how long a binary may go on after an interrupt, or hold its
// output open after its end, by way of a process that it has left behind.
var patience = 5 * time.Second

// command finds binaries in the current directory without a leading ./.
func command(ctx context.Context, binary string, args []string) *exec.Cmd {
	if _, err := os.Stat(binary); err == nil && !strings.ContainsRune(binary, os.PathSeparator) {
		binary = "." + string(os.PathSeparator) + binary
	}
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = patience
	return cmd
}

func keepOld(targets []target) error {
	for _, t := range targets {
		if err := os.Rename(t.file, t.file+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// runOnce appends one run of a binary to its file, line by line, so that
// nothing is lost when the run is interrupted.
func runOnce(ctx context.Context, t target, args []string, cases int, p *reporter) error {
	file, err := os.OpenFile(t.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	defer func(done int) { p.done = done }(p.done + cases) // also where results are missing
	var stderr bytes.Buffer
	lines := &keeper{to: file, p: p}
	cmd := command(ctx, t.binary, args)
	cmd.Stdout, cmd.Stderr = lines, &stderr
	err = cmd.Run()
	p.out.Write(stderr.Bytes())
	_, noteErr := file.Write(notes(stderr.Bytes()))
	return cmp.Or(lines.err, err, lines.check(cases), noteErr)
}

// notes are the lines with # of what a binary said beside its results: which
// of them not to trust.
func notes(said []byte) (list []byte) {
	for line := range bytes.Lines(said) {
		if bytes.HasPrefix(line, []byte("# ")) && bytes.HasSuffix(line, []byte("\n")) {
			list = append(list, line...)
		}
	}
	return list
}

// keeper writes whole lines on and counts the results among them. A line that
// a binary did not end is not kept: it may be half a result.
type keeper struct {
	to      io.Writer
	p       *reporter
	rest    []byte // the beginning of a line
	results int
	err     error // the first of to
}

func (k *keeper) Write(b []byte) (int, error) {
	k.rest = append(k.rest, b...)
	for {
		end := bytes.IndexByte(k.rest, '\n') + 1
		if end == 0 {
			return len(b), nil
		}
		if _, k.err = k.to.Write(k.rest[:end]); k.err != nil {
			return 0, k.err
		}
		if name, ok := result(string(k.rest[:end])); ok {
			k.results++
			k.p.caseDone(name)
		}
		k.rest = k.rest[end:]
	}
}

// check says what a binary that did not fail has left out.
func (k *keeper) check(cases int) error {
	if k.results != cases {
		return fmt.Errorf("%d results of %d cases", k.results, cases)
	}
	return nil
}

// result reports whether a line is a benchmark's result, and its name. A name
// alone is none, nor a name with --- FAIL behind it.
func result(line string) (name string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(line, "Benchmark") {
		return "", false
	}
	_, notCount := strconv.Atoi(fields[1])
	_, notValue := strconv.ParseFloat(fields[2], 64)
	return fields[0], notCount == nil && notValue == nil
}

// reporter prints progress.
type reporter struct {
	out           io.Writer
	begin         time.Time
	round, rounds int
	cases         int // of one round
	done          int // cases behind us, measured or not
	kept          int // results
}

func newReporter(out io.Writer, rounds, turns int, cases []int) *reporter {
	p := &reporter{out: out, rounds: rounds, begin: time.Now()}
	for _, n := range cases {
		p.cases += n * turns
	}
	return p
}

// announce says how long it will take if a round takes as long as is expected; 0:
// nobody knows.
func (p *reporter) announce(round time.Duration) {
	fmt.Fprintf(p.out, "%d cases in %d rounds", p.cases, p.rounds)
	if round > 0 {
		fmt.Fprintf(p.out, ": about %s", clock(round*time.Duration(p.rounds)))
	}
	fmt.Fprintln(p.out)
}

// learn says after the first of several rounds how long all take, the start of
// processes included.
func (p *reporter) learn() {
	if took := time.Since(p.begin); p.rounds > 1 {
		fmt.Fprintf(p.out, "round 1 took %s: about %s in all\n", clock(took), clock(took*time.Duration(p.rounds)))
	}
}

func (p *reporter) caseDone(name string) {
	p.done++
	p.kept++
	total := max(p.cases*p.rounds, p.done)
	elapsed := time.Since(p.begin)
	left := elapsed / time.Duration(p.done) * time.Duration(total-p.done)
	fmt.Fprintf(p.out, "round %d/%d  case %d/%d  elapsed %s  left %s  %s\n", p.round, p.rounds, p.done, total, clock(elapsed), clock(left), name)
}

// clock writes d as minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
