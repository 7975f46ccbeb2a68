package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// run runs all rounds. A binary that fails does not keep the others from
// running: what can be measured is.
func run(rounds int, targets []target, args []string, progress io.Writer) error {
	p := &reporter{out: progress, begin: time.Now(), rounds: rounds}
	var expected []int
	for _, t := range targets {
		n, err := countCases(t.binary, args)
		if err != nil {
			return err
		}
		expected = append(expected, n)
		p.cases += n
	}
	if err := keepOld(targets); err != nil {
		return err
	}
	p.begin = time.Now()
	var errs []error
	for p.round = 1; p.round <= rounds; p.round++ {
		for i, t := range targets {
			if err := runOnce(t, args, expected[i], p); err != nil {
				errs = append(errs, fmt.Errorf("round %d: %w", p.round, err))
			}
		}
	}
	return errors.Join(errs...)
}

// countCases asks a binary how many cases the arguments select.
func countCases(binary string, args []string) (int, error) {
	out, err := command(binary, append(args[:len(args):len(args)], "-cases")).Output()
	if err != nil {
		return 0, fmt.Errorf("%s -cases: %w\n%s", binary, err, stderrOf(err))
	}
	return len(strings.Fields(string(out))), nil
}

func stderrOf(err error) []byte {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Stderr
	}
	return nil
}

// command finds binaries in the current directory without a leading ./.
func command(binary string, args []string) *exec.Cmd {
	if _, err := os.Stat(binary); err == nil && !strings.ContainsRune(binary, os.PathSeparator) {
		binary = "." + string(os.PathSeparator) + binary
	}
	return exec.Command(binary, args...)
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
func runOnce(t target, args []string, expected int, p *reporter) error {
	file, err := os.OpenFile(t.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	cmd := command(t.binary, args)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	n, copyErr := copyLines(file, out, p)
	err = errors.Join(copyErr, cmd.Wait())
	p.out.Write(stderr.Bytes())
	if err == nil && n != expected {
		err = fmt.Errorf("%d results of %d cases", n, expected)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.binary, err)
	}
	return nil
}

// copyLines copies lines and counts the results among them.
func copyLines(to io.Writer, from io.Reader, p *reporter) (results int, err error) {
	lines := bufio.NewReader(from)
	for {
		line, readErr := lines.ReadString('\n')
		if _, err := io.WriteString(to, line); err != nil {
			return results, err
		}
		if name, ok := result(line); ok {
			results++
			p.caseDone(name)
		}
		if readErr != nil {
			if readErr == io.EOF {
				readErr = nil
			}
			return results, readErr
		}
	}
}

// result reports whether a line is a benchmark's result, and its name.
func result(line string) (name string, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return "", false
	}
	return fields[0], true
}

// reporter prints progress.
type reporter struct {
	out           io.Writer
	begin         time.Time
	round, rounds int
	cases         int // of one round
	done          int
}

func (p *reporter) caseDone(name string) {
	p.done++
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
