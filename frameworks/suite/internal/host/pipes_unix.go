//go:build unix

package host

import (
	"fmt"
	"os"
	"syscall"
)

// inheritedPipes opens the child's ends of its pipes. Processes that the server starts
// do not inherit them. Reading them blocks no thread.
func inheritedPipes() (lifeline, ready *os.File, err error) {
	for _, fd := range []int{lifelineFD, readyFD} {
		syscall.CloseOnExec(fd)
		if err := syscall.SetNonblock(fd, true); err != nil {
			return nil, nil, fmt.Errorf("file descriptor %d: %w", fd, err)
		}
	}
	return os.NewFile(lifelineFD, "lifeline"), os.NewFile(readyFD, "ready"), nil
}
