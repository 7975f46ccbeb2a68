// Package terminal finds where progress can be shown to a person without
// splitting a result line. Package testing prints a case's name when its first
// round has ended and its figures when the last has, so that whatever goes where
// the results go must be a whole line between two cases.
package terminal

import (
	"io"
	"os"
	"strings"
)

// View is where progress is shown. The zero View is nowhere.
type View struct {
	io.Writer
	// Apart says that the results are not shown there as well, so that progress
	// may be told as often as is useful.
	Apart bool
}

// Find finds it by where both outputs of the process go. go test makes one of
// them; then the terminal is asked for by its name, if the results go into a
// file. Where stderr alone goes to a program or a file, that program tells
// progress in its own way, as benchrounds does, and nothing is shown.
func Find(stdout, stderr *os.File) View {
	out, err := stdout.Stat()
	errOut, errErr := stderr.Stat()
	switch {
	case err != nil || errErr != nil:
	case isTerminal(out):
		return View{Writer: stdout}
	case isTerminal(errOut):
		return View{Writer: stderr, Apart: out.Mode().IsRegular() || isNull(out)}
	case !os.SameFile(out, errOut) || isNull(out):
	case out.Mode().IsRegular():
		if tty := foreground(); tty != nil {
			return View{Writer: tty, Apart: true}
		}
		return View{Writer: stdout}
	default:
		return View{Writer: stdout}
	}
	return View{}
}

// foreground is the terminal of this process, if /proc says that the process is in
// its foreground: what runs in the background must not write between what a person
// types.
func foreground() *os.File {
	stat, _ := os.ReadFile("/proc/self/stat")
	_, rest, _ := strings.Cut(string(stat), ") ") // state, parent, group, session, terminal, its group
	if f := strings.Fields(rest); len(f) < 6 || f[2] != f[5] {
		return nil
	}
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	return tty
}

// Same reports whether two files are one.
func Same(a, b *os.File) bool {
	one, err := a.Stat()
	other, errOther := b.Stat()
	return err == nil && errOther == nil && os.SameFile(one, other)
}

// isTerminal reports whether a file is a terminal: the other character device
// that output goes to is the null device.
func isTerminal(f os.FileInfo) bool { return f.Mode()&os.ModeCharDevice != 0 && !isNull(f) }

func isNull(f os.FileInfo) bool {
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(f, null)
}
