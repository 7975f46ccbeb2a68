// Package status is the line in which a command says how far it is. On a terminal every text
// takes the place of the one before; in a file each step has a line of its own.
package status

import (
	"io"
	"os"
	"runtime"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// erase goes back to the beginning of a terminal's line and erases it.
const erase = "\r\x1b[K"

// interruptRoom are the columns that a text leaves free: a terminal shows ^C behind it.
const interruptRoom = 3

// Line is written to a terminal or to a file. Text of others must have gone through
// foreign.Line. A Line has no lock: one goroutine at a time writes.
type Line struct {
	out     io.Writer
	columns func() int // of the terminal; nil: out is a file
	open    bool       // a text stands there, without an end
}

// Stderr returns the line of standard error. A terminal that cannot erase a line, as one with
// TERM=dumb, counts as a file.
func Stderr() *Line {
	fd := int(os.Stderr.Fd())
	if !term.IsTerminal(fd) || os.Getenv("TERM") == "dumb" || runtime.GOOS == "windows" {
		return ToFile(os.Stderr)
	}
	return ToTerminal(os.Stderr, func() int {
		columns, _, err := term.GetSize(fd)
		if err != nil || columns <= 0 {
			return 80
		}
		return columns
	})
}

// ToFile returns the line of a file, or of anything else that is no terminal.
func ToFile(out io.Writer) *Line { return &Line{out: out} }

// ToTerminal returns the line of a terminal, which may have another width each time.
func ToTerminal(out io.Writer, columns func() int) *Line { return &Line{out: out, columns: columns} }

// Rewritten reports whether texts take the place of one another, as on a terminal.
func (l *Line) Rewritten() bool { return l.columns != nil }

// Show has the line say text. In a file it says nothing.
func (l *Line) Show(text string) {
	if l.Rewritten() {
		l.put(erase + cut(text, l.columns()-interruptRoom))
	}
}

// Say has the line say text, which is a line of its own in a file.
func (l *Line) Say(text string) {
	if l.Begin(text); !l.Rewritten() {
		l.Clear()
	}
}

// Begin says which step begins. In a file a line begins, which End may go on with.
func (l *Line) Begin(step string) {
	if l.Rewritten() {
		l.Show(step)
		return
	}
	l.Clear()
	l.put(step)
}

// End says in a file what has become of the step, unless other text has followed it.
func (l *Line) End(outcome string) {
	if l.open && !l.Rewritten() {
		l.put(outcome)
	}
	l.Clear()
}

// Write writes whole lines that stay.
func (l *Line) Write(lines []byte) (int, error) {
	l.Clear()
	return l.out.Write(lines)
}

// Clear lets other text begin at the beginning of a line: it erases a terminal's line, and ends
// a file's.
func (l *Line) Clear() {
	switch {
	case !l.open:
	case l.Rewritten():
		l.put(erase)
	default:
		l.put("\n")
	}
	l.open = false
}

// put writes what is no line yet. Nobody is told that progress is lost.
func (l *Line) put(text string) {
	_, _ = io.WriteString(l.out, text)
	l.open = true
}

// cut shortens a text to a number of characters.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	if most < 1 {
		return ""
	}
	return strings.TrimRight(string([]rune(text)[:most-1]), " ") + "…"
}
