package ends

import (
	"os/exec"
	"syscall"
)

// WithParent has the kernel send s to the child when this process ends, however it
// does. It is called before cmd starts. Other systems know nothing like it: there a
// child goes on when a SIGKILL ends its parent.
func WithParent(cmd *exec.Cmd, s syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: s}
}
