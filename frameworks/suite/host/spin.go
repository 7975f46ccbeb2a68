package host

import "os/exec"

// Spin keeps each of these CPUs busy until stop is called, as a saturated process does. It
// starts processes for that, because goroutines would take this process's own time.
func Spin(cpus CPUSet) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, one := range stops {
			one()
		}
	}
	for _, cpu := range cpus {
		cmd := exec.Command("sh", "-c", "while :; do :; done")
		wait, err := BeginOn(CPUSet{cpu}, cmd)
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
