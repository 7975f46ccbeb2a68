//go:build !linux

package cpus

import (
	"fmt"
	"runtime"
)

// Available returns all CPUs of the machine. Affinity masks are read on Linux only.
func Available() (Set, error) {
	set := make(Set, runtime.NumCPU())
	for i := range set {
		set[i] = i
	}
	return set, nil
}

// PinThread returns an error unless set is empty: threads are pinned on Linux only.
func PinThread(set Set) error {
	if len(set) == 0 {
		return nil
	}
	return fmt.Errorf("pin to CPUs %s: not supported on %s", set, runtime.GOOS)
}

// PinSelf returns an error unless set is empty: processes are pinned on Linux only.
func PinSelf(set Set) error { return PinThread(set) }
