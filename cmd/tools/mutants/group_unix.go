//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// grouped gives a command a process group. end ends what a test has left in it.
func grouped(cmd *exec.Cmd) (end func()) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end = func() {
		if cmd.Process != nil {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}
	cmd.Cancel = func() error { end(); return nil }
	return end
}
