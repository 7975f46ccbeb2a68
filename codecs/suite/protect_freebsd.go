package suite

import (
	"syscall"
	"unsafe"
)

// protect is syscall.Mprotect, which package syscall has on other systems only.
func protect(pages []byte, prot int) error {
	_, _, failed := syscall.Syscall(syscall.SYS_MPROTECT, uintptr(unsafe.Pointer(unsafe.SliceData(pages))), uintptr(len(pages)), uintptr(prot))
	if failed != 0 {
		return failed
	}
	return nil
}
