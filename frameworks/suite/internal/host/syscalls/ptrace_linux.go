package syscalls

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// info is struct ptrace_syscall_info of the kernel, which is alike on all processors.
type info struct {
	op   uint8
	_    [3]uint8
	_    uint32    // the processor
	_    [2]uint64 // where it is
	data [8]uint64 // at the entry the number and the arguments, at the exit the result
}

// The values of op.
const (
	opEntry = 1
	opExit  = 2
)

// infoOf returns what a stopped thread is about. Linux 5.3 is the first that tells it.
func infoOf(id int) (i info, err error) {
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(id),
		unsafe.Sizeof(i), uintptr(unsafe.Pointer(&i)), 0, 0)
	if errno != 0 {
		return i, fmt.Errorf("ptrace does not tell the system call, Linux 5.3 does: %w", errno)
	}
	return i, nil
}

func ptrace(request, id int, addr, data uintptr) error {
	_, _, errno := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(id), addr, data, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
