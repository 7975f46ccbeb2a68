package nap

import (
	"encoding/binary"
	"fmt"
	"os"
	"syscall"
	"time"
	"unsafe"

	"github.com/rpcbench/rpcbench/loadgen/internal/cpu"
)

// kernel sleeps on a timerfd and yields through an eventfd, both of which
// the runtime's network poller watches: a goroutine that waits holds no thread.
type kernel struct {
	timer, event *os.File
	timerFD      int
	eventConn    syscall.RawConn
	expirations  [8]byte               // what the timerfd reads, unused
	one          [8]byte               // what signal writes
	step         func(fd uintptr) bool // signal; a field, so that Yield allocates nothing
	signalled    bool                  // signal has been called in this yield

	start  time.Time // of the times that crowd gets
	crowd  crowd
	before cpu.Usage // at the last look
}

// New returns a Napper that sleeps on a kernel timer. If it is to stay awake, it is also a
// Yielder. An error says which timer the system refused.
func New(awake bool) (Napper, error) {
	timerFD, err := openFD("timerfd_create", syscall.SYS_TIMERFD_CREATE, clockMonotonic)
	if err != nil {
		return nil, err
	}
	eventFD, err := openFD("eventfd2", syscall.SYS_EVENTFD2, 0)
	if err != nil {
		syscall.Close(timerFD)
		return nil, err
	}
	n := &kernel{timerFD: timerFD, timer: os.NewFile(uintptr(timerFD), "timerfd"), event: os.NewFile(uintptr(eventFD), "eventfd"), start: time.Now()}
	if n.eventConn, err = n.event.SyscallConn(); err != nil {
		n.Close()
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	binary.NativeEndian.PutUint64(n.one[:], 1)
	n.step = n.signal
	if awake {
		n.meetNeighbours()
	}
	return n, nil
}

// meetNeighbours yields a few times before the run. If other programs want the
// CPU, that is known then before the first call. It takes some 40 µs, and some time
// slices if there are such programs.
func (n *kernel) meetNeighbours() {
	for range 20 {
		if n.Yield(); n.crowd.dense {
			return
		}
	}
}

// clockMonotonic is CLOCK_MONOTONIC of clock_gettime(2).
const clockMonotonic = 1

// openFD makes the system call of that name, one that takes an argument and
// flags and returns a file descriptor. timerfd_create and eventfd2 take the
// flags of open(2).
func openFD(name string, number, arg uintptr) (fd int, err error) {
	r, _, errno := syscall.RawSyscall(number, arg, syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if errno != 0 {
		return -1, fmt.Errorf("%s: %w", name, errno)
	}
	return int(r), nil
}

// itimerspec is the kernel's struct of that name. With an interval of 0 the timer
// expires once, after value.
type itimerspec struct{ interval, value syscall.Timespec }

// Sleep implements Napper.
func (n *kernel) Sleep(d time.Duration) {
	spec := itimerspec{value: syscall.NsecToTimespec(max(int64(d), 1))}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, uintptr(n.timerFD), 0, uintptr(unsafe.Pointer(&spec)), 0, 0, 0)
	if errno == 0 {
		n.timer.Read(n.expirations[:]) // fails only when interrupted or closed
	}
}

// Yield parks in the network poller, on an event that has already happened. The
// runtime asks the poller when no goroutine can run, and the poller then reports
// this event together with the sockets that have become readable. A goroutine that
// called runtime.Gosched instead would always be runnable: the runtime would hardly
// ask the poller, and replies would wait.
func (n *kernel) Yield() {
	n.signalled = false
	n.eventConn.Read(n.step) // fails only when the event is closed
	if n.yieldThread() >= lateYield {
		n.yieldAgain()
	}
}

// yieldAgain follows a late yield; see crowd for why only this one counts.
func (n *kernel) yieldAgain() {
	took := n.yieldThread()
	now := time.Since(n.start)
	n.crowd.yielded(now, took)
	if n.crowd.dense {
		n.before = cpu.Read(now)
	}
}

// yieldThread lets other threads of this core run, and returns for how long. A
// server that shares the core would otherwise wait for its time slice.
func (n *kernel) yieldThread() time.Duration {
	before := time.Since(n.start)
	syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	return time.Since(n.start) - before
}

// GivesWay looks at the CPUs' statistics at intervals while others want them. On a
// machine of hundreds of CPUs a look takes milliseconds, so the next look comes
// after at least a hundred times that time.
func (n *kernel) GivesWay() bool {
	if !n.crowd.dense {
		return false
	}
	now := time.Since(n.start)
	if now < n.crowd.lookAt {
		return true
	}
	after := cpu.Read(now)
	others, busy, _ := after.Since(n.before)
	n.crowd.looked(now, others, busy, after.Known)
	n.before = after
	n.crowd.lookAt = now + max(lookEvery, lookSpacing*(time.Since(n.start)-now))
	return n.crowd.dense
}

// signal raises the event when it is called first in a yield, and reports it when
// it is called again. Each write is a new event to the edge-triggered poller, so
// nothing needs to be read.
func (n *kernel) signal(fd uintptr) bool {
	if n.signalled {
		return true
	}
	n.signalled = true
	syscall.Write(int(fd), n.one[:])
	return false
}

// Interrupt implements Napper.
func (n *kernel) Interrupt() { n.timer.SetReadDeadline(time.Unix(1, 0)) }

// Close implements Napper.
func (n *kernel) Close() {
	n.timer.Close()
	n.event.Close()
}
