//go:build unix

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// foreground is the terminal of this process, if that is in its foreground: what
// runs in the background must not write between what a person types.
func foreground() *os.File {
	tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		tty.Close()
		return nil
	}
	return tty
}
