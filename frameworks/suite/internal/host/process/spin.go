package process

import (
	"os/exec"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
)

// Spin keeps each of these CPUs busy until stop is called, as a saturated process does. It
// starts processes for that, because goroutines would take this process's own time.
func Spin(set cpus.Set) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, one := range stops {
			one()
		}
	}
	for _, cpu := range set {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		wait, err := Place{CPUs: cpus.Set{cpu}}.Begin(cmd)
		if err != nil {
			stop()
			return nil, err
		}
		stops = append(stops, func() {
			_ = cmd.Process.Kill() // fails only when it has ended
			_ = wait()
		})
	}
	return stop, nil
}
