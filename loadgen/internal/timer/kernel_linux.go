package timer

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
	timer, event         *os.File
	timerConn, eventConn syscall.RawConn

	expiry    itimerspec            // what arm sets
	await     func(fd uintptr) bool // arm; a field, so that Sleep allocates nothing
	armed     bool                  // arm has been called in this sleep
	one       [8]byte               // what signal writes
	step      func(fd uintptr) bool // signal; a field, so that Yield allocates nothing
	signalled bool                  // signal has been called in this yield

	start      time.Time // of the times that contention gets
	contention contention
	before     cpu.Usage // at the last look
}

// New returns a Timer that sleeps on a kernel timer. If it is to stay awake, it is also a
// Yielder. An error says which timer the system refused.
func New(awake bool) (Timer, error) {
	timerFD, err := openFD("timerfd_create", syscall.SYS_TIMERFD_CREATE, clockMonotonic)
	if err != nil {
		return nil, err
	}
	eventFD, err := openFD("eventfd2", syscall.SYS_EVENTFD2, 0)
	if err != nil {
		syscall.Close(timerFD)
		return nil, err
	}
	k := &kernel{timer: os.NewFile(uintptr(timerFD), "timerfd"), event: os.NewFile(uintptr(eventFD), "eventfd"), start: time.Now()}
	binary.NativeEndian.PutUint64(k.one[:], 1)
	k.await, k.step = k.arm, k.signal
	if err := k.connect(); err != nil {
		k.Close()
		return nil, err
	}
	if awake {
		k.lookAround()
	}
	return k, nil
}

func (k *kernel) connect() (err error) {
	if k.timerConn, err = k.timer.SyscallConn(); err != nil {
		return fmt.Errorf("timerfd: %w", err)
	}
	if k.eventConn, err = k.event.SyscallConn(); err != nil {
		return fmt.Errorf("eventfd: %w", err)
	}
	return nil
}

// lookAround yields a few times before the run. If other programs want the
// CPU, that is known then before the first call. It takes some 40 µs, and some time
// slices if there are such programs.
func (k *kernel) lookAround() {
	for range 20 {
		if k.Yield(); k.contention.contended {
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

// Sleep implements Timer. It parks until the poller reports that the timer has expired. The
// poller is edge-triggered and each expiration is a new edge, so nothing needs to be read.
func (k *kernel) Sleep(d time.Duration) {
	k.expiry.value = syscall.NsecToTimespec(max(int64(d), 1))
	k.armed = false
	k.timerConn.Read(k.await) // fails only when interrupted or closed
}

// arm sets the timer when it is called first in a sleep, and reports its expiration when it
// is called again.
func (k *kernel) arm(fd uintptr) bool {
	if k.armed {
		return true
	}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_TIMERFD_SETTIME, fd, 0, uintptr(unsafe.Pointer(&k.expiry)), 0, 0, 0)
	k.armed = errno == 0
	return !k.armed
}

// Yield parks in the network poller, on an event that has already happened. The
// runtime asks the poller when no goroutine can run, and the poller then reports
// this event together with the sockets that have become readable. A goroutine that
// called runtime.Gosched instead would always be runnable: the runtime would hardly
// ask the poller, and replies would wait.
func (k *kernel) Yield() {
	k.signalled = false
	k.eventConn.Read(k.step) // fails only when the event is closed
	if k.yieldThread() >= lateYield {
		k.yieldAgain()
	}
}

// yieldAgain follows a late yield; see contention for why only this one counts.
func (k *kernel) yieldAgain() {
	took := k.yieldThread()
	now := time.Since(k.start)
	k.contention.yielded(now, took)
	if k.contention.contended {
		k.before = cpu.Read(now)
	}
}

// yieldThread lets other threads of this core run, and returns for how long. A
// server that shares the core would otherwise wait for its time slice.
func (k *kernel) yieldThread() time.Duration {
	before := time.Since(k.start)
	syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0)
	return time.Since(k.start) - before
}

// GivesWay looks at the CPUs' statistics at intervals while others want them. On a
// machine of hundreds of CPUs a look takes milliseconds, so the next look comes
// after at least a hundred times that time.
func (k *kernel) GivesWay() bool {
	if !k.contention.contended {
		return false
	}
	now := time.Since(k.start)
	if now < k.contention.lookAt {
		return true
	}
	after := cpu.Read(now)
	others, busy, _ := after.Since(k.before)
	k.contention.looked(now, others, busy, after.Known)
	k.before = after
	k.contention.lookAt = now + max(lookEvery, lookSpacing*(time.Since(k.start)-now))
	return k.contention.contended
}

// signal raises the event when it is called first in a yield, and reports it when
// it is called again. Each write is a new event to the edge-triggered poller, so
// nothing needs to be read.
func (k *kernel) signal(fd uintptr) bool {
	if k.signalled {
		return true
	}
	k.signalled = true
	syscall.Write(int(fd), k.one[:])
	return false
}

// Interrupt implements Timer.
func (k *kernel) Interrupt() { k.timer.SetReadDeadline(time.Unix(1, 0)) }

// Close implements Timer.
func (k *kernel) Close() {
	k.timer.Close()
	k.event.Close()
}
