package suite

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// burn takes that much CPU time of its thread. What else the machine does makes it last
// longer and not take more.
func burn(d time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for end := threadCPU() + d; threadCPU() < end; {
		for range 1000 { // user time, not only the system's for its clock
		}
	}
}

func threadCPU() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var now syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0)
	return time.Duration(now.Nano())
}
