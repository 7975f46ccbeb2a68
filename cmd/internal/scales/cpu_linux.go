package scales

import (
	"syscall"
	"time"
	"unsafe"
)

const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID

// cpuTime returns the CPU time of this thread. getrusage(2) has it as of the last tick, milliseconds ago.
func cpuTime() time.Duration {
	var t syscall.Timespec
	if _, _, failed := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); failed != 0 {
		panic(failed) // every kernel has this clock
	}
	return time.Duration(t.Nano())
}
