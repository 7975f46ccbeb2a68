package sleeper

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// About says what a Sleeper waits on.
const About = "a timerfd"

// kernelAlarm is a timerfd, which the runtime's network poller watches: a goroutine that
// waits holds no thread.
type kernelAlarm struct {
	fd   int
	file *os.File
	conn syscall.RawConn
}

func newAlarm() (alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("timerfd_create: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timerfd")
	conn, err := file.SyscallConn()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("timerfd: %w", err)
	}
	return &kernelAlarm{fd, file, conn}, nil
}

// set is called while somebody waits, who keeps the file open.
func (a *kernelAlarm) set(d time.Duration) {
	expiry := unix.ItimerSpec{Value: unix.NsecToTimespec(max(int64(d), 1))}
	_ = unix.TimerfdSettime(a.fd, 0, &expiry, nil) // fails only for a wrong argument
}

// wait parks until the poller reports that the timer has expired. The poller is
// edge-triggered and each expiration is a new edge, so nothing needs to be read. One that
// came while nobody waited is forgotten, so step must set the timer.
func (a *kernelAlarm) wait(step func() bool) {
	_ = a.conn.Read(func(uintptr) bool { return step() }) // fails only when closed
}

func (a *kernelAlarm) close() error { return a.file.Close() }
