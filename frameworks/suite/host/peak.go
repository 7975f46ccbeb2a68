package host

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/resident"
)

const pathResetPeak = "/peak/reset"

// ResetPeak frees the child's garbage and restarts the measurement of its
// Figures.PeakRSS. The error says that the system cannot do that.
func (h *Host) ResetPeak(ctx context.Context) error {
	if err := h.control(ctx, pathResetPeak, h.config.ControlTimeout, io.Discard); err != nil {
		return fmt.Errorf("host: reset the peak of %s: %w", h.config.Serve, err)
	}
	return nil
}

// ResetOwnPeak does for this process and OwnPeak what ResetPeak does for a child.
func ResetOwnPeak() error { return resetPeak() }

// OwnIdle returns how many bytes of this process are resident without its garbage; 0
// if that is not known.
func OwnIdle() int64 {
	debug.FreeOSMemory()
	rss, _ := resident.Own()
	return rss
}

// OwnPeak returns the most bytes of this process that were resident; 0 if that is not
// known.
func OwnPeak() int64 {
	_, peak := resident.Own()
	return peak
}

func serveResetPeak(w http.ResponseWriter, _ *http.Request) {
	if err := resetPeak(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
