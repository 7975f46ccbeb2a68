package loadgen

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// linuxNapper sleeps on a timerfd and yields through an eventfd, both of which
// the runtime's network poller watches: a goroutine that waits holds no thread.
type linuxNapper struct {
	timer, event *os.File
	timerFD      int
	eventConn    syscall.RawConn
	expirations  [8]byte // read and not looked at
	one          [8]byte
	step         func(fd uintptr) bool
	signalled    bool
}

func newNapper(w Wait) (napper, error) {
	if w == WaitSleep {
		return newTimerNapper(), nil
	}
	timerFD, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("loadgen: timerfd_create: %w", err)
	}
	eventFD, err := unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC)
	if err != nil {
		unix.Close(timerFD)
		return nil, fmt.Errorf("loadgen: eventfd: %w", err)
	}
	n := &linuxNapper{timerFD: timerFD, timer: os.NewFile(uintptr(timerFD), "timerfd"), event: os.NewFile(uintptr(eventFD), "eventfd")}
	if n.eventConn, err = n.event.SyscallConn(); err != nil {
		n.close()
		return nil, fmt.Errorf("loadgen: eventfd: %w", err)
	}
	binary.NativeEndian.PutUint64(n.one[:], 1)
	n.step = n.signal
	return n, nil
}

func (n *linuxNapper) sleep(d time.Duration) {
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(max(int64(d), 1))}
	if unix.TimerfdSettime(n.timerFD, 0, &spec, nil) == nil {
		n.timer.Read(n.expirations[:]) // an error is the interrupt's
	}
}

// yield parks in the network poller until it has seen an event that was there
// all along. The poller is asked only when no goroutine can run, and then
// hands out the sockets that became readable together with this one. (A
// goroutine that called runtime.Gosched instead would always be runnable, and
// replies would wait: the poller is hardly asked then.)
func (n *linuxNapper) yield() {
	n.signalled = false
	n.eventConn.Read(n.step) // fails only when closed
	// A server that shares this core would otherwise wait for its time slice.
	unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
}

// signal raises the event the first time it is called and finds it the second
// time. Each write is an event of its own to the edge-triggered poller, so
// nothing needs to be read.
func (n *linuxNapper) signal(fd uintptr) bool {
	if n.signalled {
		return true
	}
	n.signalled = true
	unix.Write(int(fd), n.one[:])
	return false
}

func (n *linuxNapper) interrupt() { n.timer.SetReadDeadline(time.Unix(1, 0)) }

func (n *linuxNapper) close() {
	n.timer.Close()
	n.event.Close()
}
