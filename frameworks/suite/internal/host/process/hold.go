package process

import (
	"fmt"
	"os"
	"time"
)

// All threads of a process stop within milliseconds; it is not awaited for longer than this.
const (
	longestWait = time.Second
	poll        = 100 * time.Microsecond
)

// Hold pauses a process, which another one may have started, until release is called.
func Hold(pid int) (release func() error, err error) {
	p, err := os.FindProcess(pid)
	if err == nil {
		err = Pause(p)
	}
	if err != nil {
		return nil, fmt.Errorf("hold process %d: %w", pid, err)
	}
	for end := time.Now().Add(longestWait); !stands(pid) && time.Now().Before(end); {
		time.Sleep(poll)
	}
	return func() error { return Resume(p) }, nil
}
