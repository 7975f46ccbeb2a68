package syscalls

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
)

// Allow lets another process of the same user trace this one, where Yama would not. It
// changes nothing where there is no Yama.
func Allow(pid int) { _ = unix.Prctl(unix.PR_SET_PTRACER, uintptr(pid), 0, 0, 0) }

// Trace counts the system calls of processes until Stop.
type Trace struct {
	pids  []int
	ports sockets.Ports
	paths []string // of Unix sockets
	udp   bool     // sockets of UDP without a peer count instead of those to ports and paths

	mu     sync.Mutex
	counts map[int]Counts // by process
	stops  atomic.Bool
	ended  chan struct{}
	err    error // of the trace, when it has ended

	threads map[int]*thread         // by their ids
	served  map[int]map[string]bool // by process, the sockets that are known, and whether they lead to a port or path
}

// thread is a traced one.
type thread struct {
	pid int
	now call
}

// call is a system call that has begun.
type call struct {
	number uint64
	fd     int // the first argument
	// message is the second one, of sendmsg the address of its message.
	message uint64
}

// Start traces processes with all their threads. All have to be of this user. What they
// move on connections to the ports, and to the paths of Unix sockets, are their data.
func Start(pids []int, ports sockets.Ports, paths ...string) (*Trace, error) {
	if len(paths) > 0 {
		if _, err := sockets.Inodes(os.Getpid(), ports, paths...); err != nil {
			return nil, fmt.Errorf("system calls cannot be told by their sockets: %w", err)
		}
	}
	return start(&Trace{pids: pids, ports: ports, paths: paths})
}

// StartDatagrams is Start of processes whose data are what they move on their UDP sockets
// without a peer, as those of QUIC are.
func StartDatagrams(pids []int) (*Trace, error) { return start(&Trace{pids: pids, udp: true}) }

func start(t *Trace) (*Trace, error) {
	t.counts, t.ended = map[int]Counts{}, make(chan struct{})
	t.threads, t.served = map[int]*thread{}, map[int]map[string]bool{}
	begun := make(chan error)
	go func() { // only the thread that began to trace may go on
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(t.ended)
		err := t.seizeAll()
		if err != nil {
			t.stops.Store(true) // those that were seized must not stand still
			_ = t.follow()
		}
		begun <- err
		if err == nil {
			t.err = t.follow()
		}
	}()
	if err := <-begun; err != nil {
		return nil, fmt.Errorf("system calls cannot be counted: %w", err)
	}
	return t, nil
}

// Counts returns the system calls so far, by process.
func (t *Trace) Counts() map[int]Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := map[int]Counts{}
	for pid, c := range t.counts {
		now[pid] = c
	}
	return now
}

// Stop ends the trace; the processes go on. It sends them a signal that Go programs
// ignore, because the trace may be waiting for their next system call.
func (t *Trace) Stop() error {
	t.stops.Store(true)
	for _, pid := range t.pids {
		_ = unix.Kill(pid, unix.SIGURG) // fails if it has ended
	}
	<-t.ended
	return t.err
}

// seizeAll begins to trace all threads. Those that are new meanwhile are found by
// looking again.
func (t *Trace) seizeAll() error {
	for _, pid := range t.pids {
		t.served[pid] = map[string]bool{}
		for found := true; found; {
			ids, err := threadsOf(pid)
			if err != nil {
				return err
			}
			found = false
			for _, id := range ids {
				if t.threads[id] != nil {
					continue
				}
				found = true
				if err := t.seize(pid, id); err != nil && !errors.Is(err, unix.ESRCH) {
					return err
				}
			}
		}
	}
	return nil
}

func threadsOf(pid int) (ids []int, err error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, e := range entries {
		id, _ := strconv.Atoi(e.Name()) // the kernel writes only numbers here
		ids = append(ids, id)
	}
	return ids, err
}

// seize begins to trace a thread, and stops it so that it can be continued to its next
// system call. Threads that it starts are traced from their beginning.
func (t *Trace) seize(pid, id int) error {
	err := ptrace(unix.PTRACE_SEIZE, id, 0, unix.PTRACE_O_TRACESYSGOOD|unix.PTRACE_O_TRACECLONE)
	if err != nil {
		return fmt.Errorf("ptrace: %w", err)
	}
	t.threads[id] = &thread{pid: pid}
	return ptrace(unix.PTRACE_INTERRUPT, id, 0, 0)
}

// follow continues threads that have stopped until no thread is traced any more.
func (t *Trace) follow() (err error) {
	stopping := false
	for len(t.threads) > 0 {
		if t.stops.Load() && !stopping {
			stopping = true
			for id := range t.threads {
				_ = ptrace(unix.PTRACE_INTERRUPT, id, 0, 0) // fails if it has ended, which is told below
			}
		}
		var status unix.WaitStatus
		id, waitErr := unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(waitErr, unix.EINTR):
			continue
		case waitErr != nil: // all of them have ended
			return err
		case !status.Stopped():
			delete(t.threads, id)
			continue
		}
		if countErr := t.stopped(id, status, stopping); err == nil {
			err = countErr
		}
	}
	return err
}

// stopped counts, and has a thread go on: to its next system call, or free.
func (t *Trace) stopped(id int, status unix.WaitStatus, stopping bool) (err error) {
	th, signal := t.known(id), status.StopSignal()
	switch {
	case signal == unix.SIGTRAP|0x80:
		signal, err = 0, t.count(id, th)
	case int(status)>>16 != 0: // an event: a new thread, or our own stop
		signal = 0
	}
	how := unix.PTRACE_SYSCALL
	if stopping {
		how = unix.PTRACE_DETACH
		delete(t.threads, id)
	}
	_ = ptrace(how, id, 0, uintptr(signal)) // fails if it was killed, which is told next
	return err
}

// known returns a thread, which may be new.
func (t *Trace) known(id int) *thread {
	if t.threads[id] == nil {
		t.threads[id] = &thread{pid: t.ownerOf(id)}
	}
	return t.threads[id]
}

func (t *Trace) ownerOf(id int) int {
	for _, pid := range t.pids {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", pid, id)); err == nil {
			return pid
		}
	}
	return 0
}

// count notes a system call that begins, and counts one that ends.
func (t *Trace) count(id int, th *thread) error {
	info, err := infoOf(id)
	switch {
	case errors.Is(err, unix.ESRCH): // it was killed since it stopped, which is told next
		return nil
	case err != nil:
		return err
	case info.op == opEntry:
		th.now = call{info.data[0], int(int32(info.data[1])), info.data[2]}
	case info.op == opExit:
		t.add(th.pid, t.madeBy(th, int64(info.data[0])))
	}
	return nil
}

// madeBy counts a system call that has ended with a result.
func (t *Trace) madeBy(th *thread, result int64) (c Counts) {
	switch {
	case result <= 0 || !carries(th.now.number) || !t.serves(th.pid, th.now.fd):
		c.Other = 1
	case t.udp && sends(th.now.number):
		return Counts{Data: 1, Sent: result, Datagrams: datagrams(th.pid, th.now, result)}
	default:
		c.Data = 1
	}
	return c
}

func (t *Trace) add(pid int, one Counts) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.counts[pid]
	t.counts[pid] = Counts{c.Data + one.Data, c.Other + one.Other, c.Sent + one.Sent, c.Datagrams + one.Datagrams}
}

// serves reports whether a file of a process is a connection to one of the ports or paths.
// Numbers of sockets are not used again, so that a table is read once for each.
func (t *Trace) serves(pid, fd int) bool {
	inode := sockets.Inode(pid, fd)
	if inode == "" {
		return false
	}
	known := t.served[pid]
	if _, found := known[inode]; !found {
		all, err := t.inodes(pid)
		known[inode] = err == nil && all[inode]
	}
	return known[inode]
}

// inodes are the numbers of the sockets that serve, of a process's network.
func (t *Trace) inodes(pid int) (map[string]bool, error) {
	if t.udp {
		return sockets.UDPInodes(pid)
	}
	return sockets.Inodes(pid, t.ports, t.paths...)
}

func carries(number uint64) bool {
	switch number {
	case unix.SYS_READ, unix.SYS_READV, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
		unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG,
		unix.SYS_SENDFILE, unix.SYS_SPLICE:
		return true
	}
	return false
}
