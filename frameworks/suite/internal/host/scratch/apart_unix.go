//go:build unix

package scratch

import "syscall"

// apart puts the keeper out of reach of what ends this process: a terminal's Ctrl-C and
// its end, and a signal to the process group.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
