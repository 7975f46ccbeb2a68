package host

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
)

const pathResetPeak = "/peak/reset"

// ResetPeak frees the child's garbage and restarts the measurement of its
// Figures.PeakRSS. The error says that the system cannot do that.
func (h *Host) ResetPeak(ctx context.Context) error {
	if err := h.control(ctx, pathResetPeak, io.Discard); err != nil {
		return fmt.Errorf("host: reset the peak of %s: %w", h.config.Serve, err)
	}
	return nil
}

func serveResetPeak(w http.ResponseWriter, _ *http.Request) {
	if err := resident.ResetPeak(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
