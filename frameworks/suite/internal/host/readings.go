package host

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

const pathFigures = "/figures"

// Figures reads the child's figures. It is meant for the moments before and after a
// run, because it stops all goroutines of the child for 10-40 µs to count every
// allocation.
func (h *Host) Figures(ctx context.Context) (Figures, error) {
	r, err := h.read(ctx)
	if err != nil {
		return Figures{}, fmt.Errorf("host: figures of %s: %w", h.config.Serve, err)
	}
	return r.without(h.cost, r.Reads), nil
}

// calibrate finds how much one reading adds to the figures. It takes the smallest
// difference between successive readings, because other work of the child adds to
// the figures too. The first reading opens the connection and is left out.
func (h *Host) calibrate(ctx context.Context) (cost Figures, err error) {
	var readings [10]reading
	for i := range readings {
		if readings[i], err = h.read(ctx); err != nil {
			return Figures{}, fmt.Errorf("calibrate the figures: %w", err)
		}
	}
	cost = readings[2].Since(readings[1].Figures)
	for i := 3; i < len(readings); i++ {
		cost = cost.least(readings[i].Since(readings[i-1].Figures))
	}
	return cost, nil
}

func (h *Host) read(ctx context.Context) (r reading, err error) {
	err = h.ask(ctx, pathFigures, h.config.ControlTimeout, func(answer io.Reader) error {
		text, err := io.ReadAll(limit.Reader(answer, maxFigures))
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &r)
	})
	return r, err
}

// CPU returns the user and system time that the child has used so far, or after its
// end in all. It includes the cost of calls of Figures. On Linux the kernel is asked,
// which costs the child nothing and works while it is paused; on other systems CPU
// calls Figures.
func (h *Host) CPU() (time.Duration, error) {
	select {
	case <-h.done:
		s := h.cmd.ProcessState
		return s.UserTime() + s.SystemTime(), nil
	default:
	}
	if d, err := process.CPU(h.cmd.Process.Pid); err == nil {
		return d, nil
	}
	f, err := h.Figures(context.Background())
	return f.CPU, err
}
