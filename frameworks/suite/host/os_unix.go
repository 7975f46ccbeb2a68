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

// RaiseFileLimit lets this process, and the children that it starts from now on, open n
// files. It raises the hard limit where the user may. It returns the limit in force, which
// is lower if it could not be raised; 0 if it is not known.
func RaiseFileLimit(n int) int {
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &now) != nil || now.Cur > 1<<30 {
		return 0
	}
	if int(now.Cur) >= n {
		return int(now.Cur)
	}
	want := now
	want.Cur, want.Max = asLimit(n, want.Cur), max(want.Max, asLimit(n, want.Max))
	if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &want) != nil { // more than the hard limit takes a privilege
		want.Cur, want.Max = now.Max, now.Max
		_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &want) // the limit stays as it is
	}
	return FileLimit()
}

// asLimit converts n to the type of a limit, which is signed on some systems.
func asLimit[T ~int64 | ~uint64](n int, _ T) T { return T(n) }

// FileLimit returns how many files this process and each of its children may open; 0
// if that is not known. Go has raised the limit to the hard limit.
func FileLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil || limit.Cur > 1<<30 {
		return 0
	}
	return int(limit.Cur)
}
