package host

import (
	"fmt"
	"os"
	"time"
)

// holding bounds the wait until all threads of a process have stopped.
const holding = time.Second

// Hold stops a process that another one has started until release is called, see
// Host.Pause.
func Hold(pid int) (release func() error, err error) {
	p, err := os.FindProcess(pid)
	if err == nil {
		err = pauseProcess(p)
	}
	if err != nil {
		return nil, fmt.Errorf("host: hold process %d: %w", pid, err)
	}
	for end := time.Now().Add(holding); !stands(pid) && time.Now().Before(end); {
		time.Sleep(pausePoll)
	}
	return func() error { return resumeProcess(p) }, nil
}
