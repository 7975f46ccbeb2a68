//go:build !linux

package host

import (
	"fmt"
	"runtime"
)

// Available returns all CPUs of the machine. Affinity masks are read on Linux only.
func Available() (CPUSet, error) {
	set := make(CPUSet, runtime.NumCPU())
	for i := range set {
		set[i] = i
	}
	return set, nil
}

func pinThread(set CPUSet) error {
	if len(set) == 0 {
		return nil
	}
	return fmt.Errorf("pin to CPUs %s: not supported on %s", set, runtime.GOOS)
}

// PinSelf returns an error unless set is empty: processes are pinned on Linux only.
func PinSelf(set CPUSet) error { return pinThread(set) }
