//go:build unix

package self

import (
	"os"
	"syscall"
)

// Again executes this process again, with its arguments and the environment as it is now.
// It returns only if it fails.
func Again() error {
	file, err := File()
	if err != nil {
		return err
	}
	return syscall.Exec(file, os.Args, os.Environ())
}
