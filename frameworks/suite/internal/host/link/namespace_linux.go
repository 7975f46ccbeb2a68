package link

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

const ownNamespace = "/proc/thread-self/ns/net"

// newNamespace makes a network namespace without a name.
func newNamespace() (f *os.File, err error) {
	err = elsewhere(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("make a network namespace: %w", err)
		}
		f, err = os.Open(ownNamespace)
		return err
	})
	return f, err
}

// elsewhere calls do, which moves its thread to another network namespace, and then
// moves the thread back.
func elsewhere(do func() error) error {
	runtime.LockOSThread()
	here, err := os.Open(ownNamespace)
	if err != nil {
		runtime.UnlockOSThread()
		return err
	}
	defer here.Close()
	err = do()
	if back := unix.Setns(int(here.Fd()), unix.CLONE_NEWNET); back != nil {
		return errors.Join(err, back) // the goroutine ends with the thread locked, which ends the thread
	}
	runtime.UnlockOSThread()
	return err
}

// inside calls do with its thread in a namespace.
func inside(namespace *os.File, do func() error) error {
	return elsewhere(func() error {
		if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter the network namespace: %w", err)
		}
		return do()
	})
}
