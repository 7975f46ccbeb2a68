//go:build unix

package host

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// inheritedPipes opens the child's ends of its pipes. Processes that the server starts
// do not inherit them. Reading them blocks no thread.
func inheritedPipes() (lifeline, ready *os.File, err error) {
	for _, fd := range []int{lifelineFD, readyFD} {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, nil, fmt.Errorf("file descriptor %d: %w", fd, err)
		}
	}
	return os.NewFile(lifelineFD, "lifeline"), os.NewFile(readyFD, "ready"), nil
}

func pauseProcess(p *os.Process) error  { return p.Signal(syscall.SIGSTOP) }
func resumeProcess(p *os.Process) error { return p.Signal(syscall.SIGCONT) }

// ownCPU is the user and system time of this process.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// FileLimit returns how many files this process and each of its children may open; 0
// if that is not known. Go has raised the limit to the hard limit.
func FileLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}
