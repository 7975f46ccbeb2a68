package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/cmd/internal/heard"
	"golang.org/x/sys/unix"
)

// Ctrl-C on a terminal of 60 columns: every line fits, nothing of the progress is left, and
// what was measured is shown.
func TestCtrlCOnATerminal(t *testing.T) {
	master, terminal := newTerminal(t, 60)
	dir := room(t)
	cmd := benchrounds(t, dir, "-n=2", "-then=tail -n 1", "f=good", "f=slow")
	cmd.Env = append(cmd.Env, "TERM=xterm")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	shown := heard.Until(t, master, "case 4/8")
	if _, err := master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(master) // an error is its end
	_ = cmd.Wait()
	equal(t, "the exit code", cmd.ProcessState.ExitCode(), 130)
	rest, last, _ := strings.Cut(string(text), "^C")
	shown += rest
	for line := range strings.SplitSeq(shown, "\r\x1b[K") {
		if utf8.RuneCountInString(line) > 58 {
			t.Errorf("too long: %q", line)
		}
	}
	contains(t, shown, "round 1/2  case 3/8  ")
	equal(t, "the last words", last, "\r\x1b[K"+strings.ReplaceAll(interrupted, "\n", "\r\n")+"PASS\r\n")
}

// newTerminal makes a terminal of the given width, and what a person at it sees and types.
func newTerminal(t *testing.T, columns uint16) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns})
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}
