//go:build linux || darwin

package memory

import "syscall"

func protect(pages []byte, prot int) error { return syscall.Mprotect(pages, prot) }
