package loadgen

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"
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

	start  time.Time
	crowd  crowd
	before contention // at the last look
}

func newNapper(w Wait) (napper, error) {
	if w == WaitSleep {
		return newTimerNapper(), nil
	}
	timerFD, err := openFD("timerfd_create", syscall.SYS_TIMERFD_CREATE, clockMonotonic)
	if err != nil {
		return nil, err
	}
	eventFD, err := openFD("eventfd2", syscall.SYS_EVENTFD2, 0)
	if err != nil {
		syscall.Close(timerFD)
		return nil, err
	}
	n := &linuxNapper{timerFD: timerFD, timer: os.NewFile(uintptr(timerFD), "timerfd"), event: os.NewFile(uintptr(eventFD), "eventfd"), start: time.Now()}
	if n.eventConn, err = n.event.SyscallConn(); err != nil {
		n.close()
		return nil, fmt.Errorf("loadgen: eventfd: %w", err)
	}
	binary.NativeEndian.PutUint64(n.one[:], 1)
	n.step = n.signal
	if w == WaitAwake {
		n.meetNeighbours()
	}
	return n, nil
}

// meetNeighbours yields a few times before the run, so that it does not begin
// by learning that others are there: 40 µs, or some time slices if they are.
func (n *linuxNapper) meetNeighbours() {
	for range 20 {
		if n.yield(); n.crowd.dense {
			return
		}
	}
}

// clockMonotonic is CLOCK_MONOTONIC of clock_gettime(2).
const clockMonotonic = 1

// openFD makes the system call of that name, one that takes an argument and
// flags and returns a file descriptor. The flags of timerfd_create and
// eventfd2 are those of open(2).
func openFD(name string, number, arg uintptr) (fd int, err error) {
	r, _, errno := syscall.RawSyscall(number, arg, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return -1, fmt.Errorf("loadgen: %s: %w", name, errno)
	}
	return int(r), nil
}

// itimerspec is the kernel's struct of that name: once after value.
type itimerspec struct{ interval, value syscall.Timespec }

func (n *linuxNapper) sleep(d time.Duration) {
	spec := itimerspec{value: syscall.NsecToTimespec(max(int64(d), 1))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, uintptr(n.timerFD), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno == 0 {
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
	if n.yieldThread() >= lateYield {
		n.yieldAgain()
	}
}

// yieldAgain follows a late yield, see crowd.
func (n *linuxNapper) yieldAgain() {
	took := n.yieldThread()
	now := time.Since(n.start)
	n.crowd.yielded(now, took)
	if n.crowd.dense {
		n.before = readContention(now)
	}
}

// yieldThread lets other threads of this core run, and returns for how long. A
// server that shares the core would otherwise wait for its time slice.
func (n *linuxNapper) yieldThread() time.Duration {
	before := time.Since(n.start)
	syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	return time.Since(n.start) - before
}

// givesWay looks at the CPUs at times. On a machine of hundreds a look takes
// milliseconds, so the next one comes after a hundred times as long.
func (n *linuxNapper) givesWay() bool {
	if !n.crowd.dense {
		return false
	}
	now := time.Since(n.start)
	if now < n.crowd.lookAt {
		return true
	}
	after := readContention(now)
	others, busy, _ := after.since(n.before)
	n.crowd.looked(now, others, busy, after.known)
	n.before = after
	n.crowd.lookAt = now + max(lookEvery, lookSpacing*(time.Since(n.start)-now))
	return n.crowd.dense
}

// signal raises the event the first time it is called and finds it the second
// time. Each write is an event of its own to the edge-triggered poller, so
// nothing needs to be read.
func (n *linuxNapper) signal(fd uintptr) bool {
	if n.signalled {
		return true
	}
	n.signalled = true
	syscall.Write(int(fd), n.one[:])
	return false
}

func (n *linuxNapper) interrupt() { n.timer.SetReadDeadline(time.Unix(1, 0)) }

func (n *linuxNapper) close() {
	n.timer.Close()
	n.event.Close()
}
