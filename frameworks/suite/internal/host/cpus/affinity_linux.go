package cpus

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// Available returns the CPUs of the affinity mask that this process was started
// with. After PinSelf it returns those of before, on which servers may still run. On
// systems other than Linux it returns all CPUs of the machine.
//
// It reads the mask of the calling thread, because any other thread, even the first,
// may be the one that started a pinned child.
func Available() (Set, error) {
	if before := os.Getenv(envAvailable); before != "" {
		return Parse(before)
	}
	return threadCPUs(0)
}

// threadCPUs returns the affinity mask of a thread; 0 is the calling thread.
func threadCPUs(tid int) (Set, error) {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(tid, &mask); err != nil {
		return nil, fmt.Errorf("read the CPU affinity: %w", err)
	}
	var set Set
	for cpu := range maxCPU + 1 {
		if mask.IsSet(cpu) {
			set = append(set, cpu)
		}
	}
	return set, nil
}

// PinThread moves the calling thread, which must be locked, to the CPUs of set; an
// empty set changes nothing. Processes that the thread starts run there too. The kernel silently ignores CPUs that do not exist, so
// the mask is read back.
func PinThread(set Set) error {
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

func checkPinned(set Set) error {
	got, err := threadCPUs(0)
	if err == nil && !slices.Equal(got, set) {
		err = fmt.Errorf("pin to CPUs %s: got %s", set, got)
	}
	return err
}

// PinSelf moves this process to the CPUs of set; an empty set changes nothing. It
// executes the process again with the same arguments, because setting the affinity of
// a running Go process moves only one thread. It should therefore be called first.
// The process executed again calls it too, and it then checks the CPUs and returns
// nil. GOMAXPROCS is then the number of CPUs, unless the environment sets it; the
// runtime does not change it later.
func PinSelf(set Set) error {
	if len(set) == 0 {
		return nil
	}
	if os.Getenv(envPinned) == set.String() {
		self.Rename()
		if os.Getenv("GOMAXPROCS") == "" {
			runtime.GOMAXPROCS(len(set))
		}
		return checkPinned(set)
	}
	exe, err := self.File()
	if err != nil {
		return fmt.Errorf("pin this process: %w", err)
	}
	old, err := threadCPUs(0)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err = PinThread(set); err == nil {
		err = syscall.Exec(exe, os.Args, pinnedEnv(os.Environ(), set, old)) // returns only if it failed
	}
	_ = PinThread(old)
	return fmt.Errorf("pin this process: %w", err)
}

// pinnedEnv returns the environment for executing a process again on set.
func pinnedEnv(env []string, set, old Set) []string {
	return append(Unpinned(env), envPinned+"="+set.String(), envAvailable+"="+old.String())
}
