package storm

import "syscall"

// SpareDescriptors lets the process open n more descriptors, until restore is called.
func SpareDescriptors(n int) (restore func(), err error) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before); err != nil {
		return nil, err
	}
	next, err := syscall.Dup(0)
	if err != nil {
		return nil, err
	}
	syscall.Close(next)
	restore = func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before) }
	return restore, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: uint64(next + n), Max: before.Max})
}
