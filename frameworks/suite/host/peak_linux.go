package host

import (
	"fmt"
	"os"
)

// ResetPeak makes Figures.PeakRSS count from now on.
func (h *Host) ResetPeak() error { return resetPeak(h.cmd.Process.Pid) }

// ResetOwnPeak makes OwnPeak count from now on.
func ResetOwnPeak() error { return resetPeak(os.Getpid()) }

// resetPeak clears the kernel's high-water mark.
func resetPeak(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}
