package host

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Available are the CPUs this process was started with, by its affinity mask;
// after PinSelf those before it, which servers may still have. Elsewhere than
// on Linux they are all of the machine.
//
// It asks for the calling thread, since any other, the first included, may be
// one that belongs to a pinned child.
func Available() (CPUSet, error) {
	if before := os.Getenv(envAvailable); before != "" {
		return ParseCPUs(before)
	}
	return threadCPUs(0)
}

// threadCPUs is the mask of a thread; 0 is the calling one.
func threadCPUs(tid int) (CPUSet, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(tid, &mask); err != nil {
		return nil, fmt.Errorf("read the CPU affinity: %w", err)
	}
	var set CPUSet
	for cpu := range maxCPU + 1 {
		if mask.IsSet(cpu) {
			set = append(set, cpu)
		}
	}
	return set, nil
}

// pinThread moves the calling thread, which must be locked, to the CPUs of
// set; an empty set leaves it where it is. The kernel silently drops CPUs that
// are not there, so the mask is read back.
func pinThread(set CPUSet) error {
	if len(set) == 0 {
		return nil
	}
	var mask unix.CPUSet
	for _, cpu := range set {
		mask.Set(cpu)
	}
	if err := unix.SchedSetaffinity(0, &mask); err != nil {
		return fmt.Errorf("pin to CPUs %s: %w", set, err)
	}
	return checkPinned(set)
}

func checkPinned(set CPUSet) error {
	got, err := threadCPUs(0)
	if err == nil && !slices.Equal(got, set) {
		err = fmt.Errorf("pin to CPUs %s: got %s", set, got)
	}
	return err
}

// PinSelf moves this process to the CPUs of set. It executes the process again
// with the same arguments, because affinity set in a running Go process moves
// one thread; so it is to be called first thing, and in the second life it
// returns nil at once, having checked the CPUs. GOMAXPROCS is then the number
// of CPUs, unless the environment had set it. An empty set changes nothing.
func PinSelf(set CPUSet) error {
	if len(set) == 0 {
		return nil
	}
	if os.Getenv(envPinned) == set.String() {
		return checkPinned(set)
	}
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("pin this process: %w", err)
	}
	old, err := threadCPUs(0)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err = pinThread(set); err == nil {
		err = syscall.Exec(exe, os.Args, pinnedEnv(os.Environ(), set, old)) // returns only to fail
	}
	_ = pinThread(old)
	return fmt.Errorf("pin this process: %w", err)
}

// pinnedEnv is env for the second life of a process on set. The user's
// GOMAXPROCS stays.
func pinnedEnv(env []string, set, old CPUSet) []string {
	env = append(withoutEnv(env, envPinned, envAvailable), envPinned+"="+set.String(), envAvailable+"="+old.String())
	if os.Getenv(envProcs) == "" {
		env = append(withoutEnv(env, envProcs), envProcs+"="+strconv.Itoa(len(set)))
	}
	return env
}
