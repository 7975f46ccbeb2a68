package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// keepOld renames files from before; what is no file, as /dev/stdout, stays.
func keepOld(targets []target) error {
	for _, s := range targets {
		if info, err := os.Stat(s.file); err == nil && !info.Mode().IsRegular() {
			continue
		}
		if err := os.Rename(s.file, s.file+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// add appends text to a file. It makes no file for an empty text.
func add(name, text string) error {
	if text == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return cmp.Or(err, file.Close())
}

// errLost is why results are lost: the file that keeps them cannot be written.
type errLost struct{ error }

func (e errLost) Unwrap() error { return e.error }

func lost(name string, err error) error {
	if err == nil {
		return nil
	}
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return errLost{fmt.Errorf("%s cannot be written, so that the run ends: %w", name, err)}
}

// whole writes whole lines to a file, or nothing: on a disk that is full there would be half a
// result at the end.
type whole struct{ *os.File }

func (w whole) Write(lines []byte) (int, error) {
	n, err := w.File.Write(lines)
	if info, e := w.Stat(); err != nil && n > 0 && e == nil && info.Mode().IsRegular() {
		_ = w.Truncate(info.Size() - int64(n)) // err is told
	}
	return n, err
}

// mostLine is the length of the longest line that is kept, in bytes: no reader takes a longer one.
const mostLine = 1 << 20

// keeper writes whole lines on and counts the results among them. A line that
// a binary did not end is not kept: it may be half a result. Of a line that is too long
// its number of bytes is kept.
type keeper struct {
	to      io.Writer
	p       *reporter
	begun   []byte // of a line without an end yet
	told    bool   // progress knows the benchmark of that line
	left    int    // bytes of the line that is too long
	results int
	result  func(line string) // is told of each, unless it is nil
	err     error             // the first of to
}

func (k *keeper) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		k.begun = append(k.begun, line...)
		ended := line[len(line)-1] == '\n'
		if len(k.begun) > mostLine || k.left > 0 {
			k.left, k.begun = k.left+len(k.begun), k.begun[:0]
		}
		if k.follow(); !ended {
			break
		}
		if k.err = k.line(); k.err != nil {
			return 0, k.err
		}
	}
	return len(b), nil
}

// follow tells progress of a benchmark whose name is there, though its result may not be.
func (k *keeper) follow() {
	name, _, found := bytes.Cut(k.begun, []byte("\t"))
	if found && !k.told && bytes.HasPrefix(name, []byte("Benchmark")) {
		k.told = true
		k.p.caseBegun(string(bytes.TrimSpace(name)))
	}
}

// line writes a line that has ended.
func (k *keeper) line() error {
	line := k.begun
	if k.left > 0 {
		line = fmt.Appendf(nil, "# left out: a line of %d bytes\n", k.left)
	}
	k.begun, k.left, k.told = k.begun[:0], 0, false
	if _, err := k.to.Write(line); err != nil {
		return err
	}
	if isResult(string(line)) {
		k.results++
		k.p.caseDone()
		if k.result != nil {
			k.result(string(line))
		}
	}
	return nil
}

// check says what a binary that did not fail has left out.
func (k *keeper) check(cases int) error {
	if k.results != cases {
		return fmt.Errorf("%d results of %d cases", k.results, cases)
	}
	return nil
}

// isResult reports whether a line is a benchmark's result. A name alone is none, nor is a name
// with --- FAIL behind it.
func isResult(line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(line, "Benchmark") {
		return false
	}
	_, notCount := strconv.Atoi(fields[1])
	_, notValue := strconv.ParseFloat(fields[2], 64)
	return notCount == nil && notValue == nil
}
