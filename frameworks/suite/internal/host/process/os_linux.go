package process

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// childAttributes puts the child in a process group of its own, out of reach of a
// terminal's Ctrl-C, and has it killed when the thread that starts it ends.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// CPU returns the user and system time that a process has used so far. It reads the CPU
// clock of that process, whose id is computed from the pid as clock_getcpuclockid does it;
// 2 is the scheduler's precise clock.
func CPU(pid int) (time.Duration, error) {
	const clockSched = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|clockSched, &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}

// Paused reports whether all threads of a child have stopped. The signal reaches
// them one after the other, and each works on until then.
func Paused(pid int) bool {
	var info unix.Siginfo // all zero unless there is something to tell
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err == nil && info.Signo != 0
}
