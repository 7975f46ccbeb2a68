//go:build !linux

package host

import (
	"fmt"
	"runtime"
)

// Available are the CPUs this process may use: all of the machine, since only
// on Linux is there an affinity mask to read.
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

// PinSelf fails, since only on Linux can a process be pinned; an empty set
// changes nothing.
func PinSelf(set CPUSet) error { return pinThread(set) }
