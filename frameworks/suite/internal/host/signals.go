package host

import (
	"os"
	"os/signal"
	"syscall"
)

// EndSignals returns the signals by which this process is asked to end: Ctrl-C, a
// termination, and the end of its terminal. The last is left out if the process was
// started to outlive its terminal, as by nohup.
func EndSignals() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{os.Interrupt, syscall.SIGTERM}
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
}
