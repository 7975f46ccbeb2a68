package host

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// useDeathSignal has the kernel kill a child when its parent ends. The lifeline does
// the same, but not for a child that is paused or that hangs before Serve.
var useDeathSignal = true

// childAttr puts the child in a process group of its own, out of reach of a
// terminal's Ctrl-C, and has it killed when the thread that starts it ends.
func childAttr() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if useDeathSignal {
		attr.Pdeathsig = syscall.SIGKILL
	}
	return attr
}

// processCPU reads the CPU clock of another process. The clock's id is computed from
// the pid as clock_getcpuclockid does it; 2 is the scheduler's precise clock.
func processCPU(pid int) (time.Duration, error) {
	const clockSched = 2
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|clockSched, &t); err != nil {
		return 0, err
	}
	return time.Duration(t.Nano()), nil
}

// isPaused reports whether all threads of a child have stopped. The signal reaches
// them one after the other, and each works on until then.
func isPaused(pid int) bool {
	var info unix.Siginfo // all zero unless there is something to tell
	err := unix.Waitid(unix.P_PID, pid, &info, unix.WSTOPPED|unix.WNOWAIT|unix.WNOHANG, nil)
	return err == nil && info.Signo != 0
}
