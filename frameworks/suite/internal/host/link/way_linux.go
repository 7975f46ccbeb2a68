package link

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"golang.zx2c4.com/wireguard/tun"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

const (
	// header is the room that the library needs before a packet.
	header = 16
	// whole is the room of a segment that the library joins of packets that leave together.
	whole = 64 << 10
	// gap is the least time between two deliveries. A network card waits as long for more
	// packets before it interrupts the CPU. A packet is late by this at the most, and without
	// it each packet at 1 Gbit/s would wake the thread.
	gap = 50 * time.Microsecond
	// most bounds way.lag.
	most = 150 * time.Microsecond
	// asleep is how long a thread waits at least if it does not run all the time.
	asleep = 20 * time.Microsecond
	// longest is the longest wait, after which a thread sees whether the world is to stop.
	longest = time.Second
	// A packet that leaves later than tooLate counts as Counts.Late.
	tooLate = time.Millisecond
)

// way carries packets from one device to the other.
type way struct {
	from, to *device
	clock    func() time.Duration
	line     *line.Way
	queue    *queue
	in, out  [][]byte
	sizes    []int
	last     time.Duration // when packets were delivered
	// lag is the mean delay with which the thread wakes, 80 µs on a virtual machine. The thread
	// asks to be woken earlier by lag. A packet that wakes it is taken to have come lag before.
	lag     time.Duration
	entered time.Duration // when the packets came that are to be read

	mu         sync.Mutex
	counts     line.Counts
	late       int64
	unintended int64
}

func newWay(from, to *device, s line.Shape, seed uint64) *way {
	start := time.Now()
	w := &way{
		from: from, to: to, clock: func() time.Duration { return time.Since(start) },
		line: line.NewWay(s, seed), queue: newQueue(s.Largest()), sizes: make([]int, from.BatchSize()),
	}
	for range from.BatchSize() {
		w.in = append(w.in, make([]byte, header+s.Largest()))
		w.out = append(w.out, make([]byte, header, header+whole))
	}
	return w
}

// carry carries until a device is closed. It has a thread of its own.
func (w *way) carry() error {
	for {
		if err := w.deliver(); err != nil {
			return err
		}
		ready, err := w.await()
		if err == nil && ready {
			err = w.take()
		}
		if err != nil {
			return err
		}
	}
}

// await waits until the next packets are to be delivered or some have come, which it
// reports.
func (w *way) await() (ready bool, err error) {
	before := w.clock()
	wake := before + longest
	if due, waits := w.queue.first(); waits {
		wake = min(wake, max(due, w.last+gap)-w.lag)
	}
	ready, err = w.poll(max(wake-before, 0))
	now := w.clock()
	switch slept := now-before > asleep; {
	case ready && slept:
		w.entered = now - w.lag
	case ready:
		w.entered = now
	case slept && err == nil:
		const weight = 16 // of the mean so far
		w.lag = min(w.lag+(now-wake-w.lag)/weight, most)
	}
	return ready, err
}

// poll is unix.Ppoll of one file that is to be read, without a word to Go's scheduler. That
// would else take the thread's P away and look for it again at each packet, and its monitor
// would wake every 20 µs as long as packets come: ten times the CPU time of the packets
// themselves. In exchange, what stops the world waits for the thread, see longest.
func (w *way) poll(wait time.Duration) (ready bool, err error) {
	timeout := unix.NsecToTimespec(int64(wait))
	file := unix.PollFd{Fd: int32(w.from.fd), Events: unix.POLLIN}
	n, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&file)), 1, uintptr(unsafe.Pointer(&timeout)), 0, 0, 0)
	if errno != 0 && errno != unix.EINTR {
		return false, errno
	}
	return errno == 0 && n > 0, nil
}

// take reads a segment, which is one packet or many, and lets each enter the line.
func (w *way) take() error {
	n, err := w.from.Read(w.in, w.sizes, header)
	unintended := int64(0)
	if errors.Is(err, tun.ErrTooManySegments) {
		unintended, err = 1, nil
	}
	for i := range n {
		packet := w.in[i][header : header+w.sizes[i]]
		if leaves, ok := w.line.Enter(w.entered, len(packet)); ok {
			w.queue.push(leaves, packet)
		}
	}
	w.mu.Lock()
	w.counts, w.unintended = w.line.Counts, w.unintended+unintended
	w.mu.Unlock()
	return err
}

// deliver hands over the packets that are due.
func (w *way) deliver() error {
	now, n, late := w.clock(), 0, int64(0)
	for ; n < len(w.out); n++ {
		due, waits := w.queue.first()
		if !waits || due > now+w.lag {
			break
		}
		if now-due > tooLate {
			late++
		}
		w.out[n] = w.queue.pop(w.out[n][:header])
	}
	if n == 0 {
		return nil
	}
	w.last = now
	_, err := w.to.Write(w.out[:n], header)
	w.mu.Lock()
	w.late += late
	w.mu.Unlock()
	return ifClosed(err)
}

// ifClosed returns the error of a device that is gone. One that does not take a packet
// counts it itself.
func ifClosed(err error) error {
	if errors.Is(err, unix.EBADFD) || errors.Is(err, unix.EBADF) {
		return err
	}
	return nil
}

// own locks the calling goroutine to its thread, which from then on wakes to the microsecond
// and runs before other threads, as an interrupt does. Without the right to a real-time
// priority it asks for short slices of time. The scheduler runs threads with short slices
// earlier.
func own() (realtime bool) {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	if unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1}, 0) == nil {
		return true
	}
	_ = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL, Runtime: uint64(100 * time.Microsecond)}, 0)
	return false
}

// start has a way carried by a thread of its own. It returns when the thread has its
// priority, and calls ended when the way is at its end.
func (w *way) start(ended func(error)) (realtime bool) {
	owned := make(chan bool)
	go func() {
		owned <- own()
		ended(fmt.Errorf("carry packets from %s: %w", w.from.name, w.carry()))
	}()
	return <-owned
}

// counted returns what the way did so far.
func (w *way) counted() (c line.Counts, late, unintended int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.counts, w.late, w.unintended
}
