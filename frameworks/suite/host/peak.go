package host

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
)

const pathResetPeak = "/peak/reset"

// ResetPeak makes the child's Figures.PeakRSS count from now on, without the
// garbage of before. It is an error where the system has no such thing.
func (h *Host) ResetPeak(ctx context.Context) error {
	if err := h.control(ctx, pathResetPeak, h.config.ControlTimeout, io.Discard); err != nil {
		return fmt.Errorf("host: reset the peak of %s: %w", h.config.Serve, err)
	}
	return nil
}

// ResetOwnPeak is ResetPeak of this process, for OwnPeak.
func ResetOwnPeak() error { return resetPeak() }

// OwnIdle is how many bytes this process has resident without its garbage; 0:
// not known.
func OwnIdle() int64 {
	debug.FreeOSMemory()
	rss, _ := residentSet()
	return rss
}

// OwnPeak is how many bytes this process had resident at most; 0: not known.
func OwnPeak() int64 {
	_, peak := residentSet()
	return peak
}

func serveResetPeak(w http.ResponseWriter, _ *http.Request) {
	if err := resetPeak(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
