package memory

import (
	"syscall"
	"unsafe"
)

// protect does what syscall.Mprotect does, which package syscall lacks on FreeBSD.
func protect(pages []byte, prot int) error {
	_, _, failed := syscall.Syscall(syscall.SYS_MPROTECT, uintptr(unsafe.Pointer(unsafe.SliceData(pages))), uintptr(len(pages)), uintptr(prot))
	if failed != 0 {
		return failed
	}
	return nil
}
