//go:build unix

package cell

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// enoughCores returns an error if the server and the tool would have to wait for each other.
func enoughCores(n int) error {
	if n < 2 {
		return fmt.Errorf("%d core: the server and the tool need one each", n)
	}
	return nil
}

// leastFiles is how many open files a process needs: the server of a second's stop has a
// connection for each of 500 calls, and tools open more than they need.
const leastFiles = 4096

// enoughFiles raises the limit of open files, for children too, as far as it may. Without
// being set it would be the lower one again in children.
func enoughFiles() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	limit.Cur = limit.Max
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("the limit of open files cannot be raised: %w", err)
	}
	if limit.Cur < leastFiles {
		return fmt.Errorf("%d files may be open, and %d are needed: raise the limit with ulimit -Hn", limit.Cur, leastFiles)
	}
	return nil
}
