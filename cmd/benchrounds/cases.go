package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/bounded"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/turns"
)

// errNoCase is why a binary is left out: the arguments select nothing of it.
type errNoCase struct {
	binary, why string
	said        []byte // lines with # for its file; nil: none
}

func (e errNoCase) Error() string { return e.binary + " has no case: " + e.why }

// note is for the file that would have had its lines.
func (e errNoCase) note() string {
	return cmp.Or(string(e.said), "# no case: "+e.binary+": "+e.why+"\n")
}

// countCases asks a binary how many cases the arguments select, and how long they
// take, 0 if it does not know. One without package suite does not know -cases, and
// runs each once. The error is errNoCase if the arguments select none.
func countCases(ctx context.Context, binary string, args []string) (n int, takes time.Duration, err error) {
	out, said, err := output(ctx, binary, args, "-cases")
	n, takes = len(strings.Fields(out)), estimated(said)
	if rest, found := strings.CutPrefix(said, "# 0 cases\n"); err != nil && found {
		return 0, 0, noCase(binary, rest)
	}
	if err != nil && firstLine(said) == ": flag provided but not defined: -cases" {
		out, said, err = output(ctx, binary, args, "-test.benchtime=1x")
		n, takes = countResults(out), 0
	}
	if errors.Is(err, fs.ErrPermission) {
		return 0, 0, fmt.Errorf("%s is not run: %w; it must be executable, on a file system that is not mounted noexec", binary, err)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("%s does not tell its cases: %w%s", binary, err, firstLine(said))
	}
	if n == 0 {
		return 0, 0, errNoCase{binary, "-test.bench may match nothing", nil}
	}
	return n, takes, nil
}

// noCase is what package suite says after "# 0 cases": what had to be left out,
// in lines with #, and a sentence.
func noCase(binary, said string) error {
	e := errNoCase{binary: binary, said: turns.Notes([]byte(said))}
	_, e.why, _ = strings.Cut(strings.TrimRight(said[len(e.said):], "\n"), ": ") // without the command's name
	e.why = foreign.Line(e.why)
	return e
}

func output(ctx context.Context, binary string, args []string, last string) (out, said string, err error) {
	cmd := command(ctx, binary, append(args[:len(args):len(args)], last))
	stdout, stderr := bounded.Buffer{Most: bounded.Results}, bounded.Buffer{Most: bounded.Messages}
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmp.Or(cmd.Run(), stdout.Err())
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
		if isResult(line) {
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
	return ": " + foreign.Line(line)
}
