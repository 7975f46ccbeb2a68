//go:build linux || darwin

package suite

import "syscall"

func protect(pages []byte, prot int) error { return syscall.Mprotect(pages, prot) }
