//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package machine

import (
	"runtime"
	"syscall"
)

// fromSystem asks the kernel by sysctl. Of the memory these systems tell numbers only,
// which package syscall does not read.
func fromSystem() map[string]string {
	about := map[string]string{}
	ask := func(key, name string) {
		if value, err := syscall.Sysctl(name); err == nil && value != "" {
			about[key] = value
		}
	}
	ask("kernel", "kern.osrelease")
	if runtime.GOOS == "freebsd" {
		ask("hypervisor", "kern.vm_guest")
	}
	return about
}
