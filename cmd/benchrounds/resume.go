package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// With -continue the lines of each run have a mark behind them, which says whose they are. Another
// benchrounds keeps the runs that are whole, and makes the others again.

// did is a run that is whole.
type did struct {
	file, binary string
	turn         int
}

// head is the first line of a file that is gone on with: rounds of other arguments cannot be added.
// What only says how ranks find each other may be another.
func (t *part) head() string {
	args := slices.DeleteFunc(slices.Clone(t.args), func(arg string) bool {
		return strings.HasPrefix(arg, "-token-file=") || strings.HasPrefix(arg, "-run-name=")
	})
	return foreign.Line(fmt.Sprintf("# goes on with: %q", args)) + "\n"
}

// mark is the line behind a run.
func (t *part) mark(turn int, err error) string {
	end := "whole"
	if err != nil {
		end = "failed"
	}
	return fmt.Sprintf("# turn %d of %s, SHA-256 %s: %s\n", turn, foreign.Line(t.binary), t.hash, end)
}

var isMark = regexp.MustCompile(`^# turn (\d+) of (.+), SHA-256 ([0-9a-f]{64}): (whole|failed)\n$`)

// hashOf is what tells a build that lay there before from another.
func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// hashed finds out which build a binary is, and whether that is the one of the runs before.
func (r *runner) hashed(t *part) (err error) {
	if !r.again {
		return nil
	}
	if t.hash, err = hashOf(command(context.Background(), t.binary, nil).Path); err != nil {
		return err
	}
	if before := r.hashes[did{file: t.file, binary: foreign.Line(t.binary)}]; before != "" && before != t.hash {
		return errAnother{t}
	}
	return nil
}

// errAnother says that the runs before were of another build.
type errAnother struct{ *part }

func (e errAnother) Error() string {
	return fmt.Sprintf("%s has runs of another build of %s: the rounds would be of two builds: move the file away to begin anew", e.file, e.binary)
}

// resume takes over what the files have.
func (r *runner) resume() error {
	r.did, r.hashes = map[did]bool{}, map[did]string{}
	for _, s := range r.targets {
		text, err := os.ReadFile(s.file)
		if os.IsNotExist(err) || err == nil && len(text) == 0 {
			continue
		}
		if err != nil {
			return err
		}
		if err := r.takeOver(s.file, text); err != nil {
			return err
		}
	}
	return nil
}

// takeOver takes over a file. What is no whole run is left out of it.
func (r *runner) takeOver(file string, text []byte) error {
	parts := slices.DeleteFunc(r.parts(0), func(t *part) bool { return t.file != file })
	first, _, _ := bytes.Cut(text, []byte("\n"))
	switch head := parts[0].head(); {
	case !bytes.HasPrefix(first, []byte("# goes on with: ")):
		return fmt.Errorf("%s was not made with -continue: give another name, or move it away", file)
	case string(first)+"\n" != head:
		return fmt.Errorf("%s has runs with other arguments: it begins with %s, and now it would be %s", file, foreign.Line(string(first)), strings.TrimSpace(head))
	}
	kept := r.whole(file, text[len(first)+1:])
	if len(kept) > 0 {
		r.noted = append(r.noted, file)
		kept = slices.Concat(first, []byte("\n"), kept)
	}
	if len(kept) == len(text) {
		return nil
	}
	return replace(file, kept)
}

// whole returns the lines of the runs that are whole, and notes them.
func (r *runner) whole(file string, text []byte) (kept []byte) {
	var run []byte
	for line := range bytes.Lines(text) {
		run = append(run, line...)
		m := isMark.FindSubmatch(line)
		if m == nil {
			continue
		}
		if string(m[4]) == "whole" {
			kept = append(kept, run...)
			turn, _ := strconv.Atoi(string(m[1]))
			r.takeRun(did{file, string(m[2]), turn}, string(m[3]), run)
		}
		run = run[:0]
	}
	return kept
}

// takeRun takes over the results of a run.
func (r *runner) takeRun(d did, hash string, run []byte) {
	r.did[d], r.hashes[did{file: d.file, binary: d.binary}] = true, hash
	for line := range bytes.Lines(run) {
		if !isResult(string(line)) {
			continue
		}
		r.p.kept++
		for _, t := range r.parts(0) {
			if t.file == d.file && foreign.Line(t.binary) == d.binary {
				t.seen.add(string(line), r.until.units)
			}
		}
	}
}

// leftOut is what a file says of a binary that is left out, once.
func (r *runner) leftOut(t *part) string {
	switch {
	case !r.again:
		return t.none.note()
	case slices.Contains(r.noted, t.file):
		return ""
	}
	r.noted = append(r.noted, t.file)
	return t.head() + t.none.note()
}

// replace puts a text in the place of a file's.
func replace(file string, text []byte) error {
	part, err := os.CreateTemp(filepath.Dir(file), ".rounds-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // fails if it was renamed
	_, err = part.Write(text)
	for _, next := range []func() error{func() error { return part.Chmod(0o644) }, part.Close, func() error { return os.Rename(part.Name(), file) }} {
		if err == nil {
			err = next()
		}
	}
	return err
}
