package bench

import (
	"context"
	"errors"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/probe"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// memory holds the peak resident memory of both sides of a run.
type memory struct {
	idle      int64 // bytes of this process before the case; 0: not known
	inFlight  int64 // payload bytes of all calls in flight
	peak      int64 // bytes of this process during the run
	ownErr    error // of this process
	serverErr error // of the server
}

// during measures the peaks of both sides over the run of cfg.
func (u *memory) during(cfg *loadgen.Config, meter server.Meter) {
	started, stopped := cfg.OnStart, cfg.OnStop
	cfg.OnStart = func() {
		u.ownErr, u.serverErr = resident.ResetPeak(), server.ErrGiven
		if meter != nil {
			u.serverErr = meter.ResetPeak(context.Background())
		}
		started()
	}
	cfg.OnStop = func() {
		stopped()
		u.peak = resident.Peak()
	}
}

func (u *memory) metrics(server *probe.Usage) (list []loadbench.Metric) {
	if u.ownErr == nil {
		list = append(list,
			loadbench.Metric{Value: float64(u.peak), Unit: "client-peak-B"},
			loadbench.Metric{Value: float64(u.idle), Unit: "client-idle-B"})
	}
	if u.serverErr == nil && server.Err == nil {
		list = append(list, loadbench.Metric{Value: float64(server.Figures.PeakRSS), Unit: "server-peak-B"})
	}
	return list
}

// doubts lists what could not be read although the system can tell it.
func (u *memory) doubts() (list []string) {
	for _, err := range []error{u.serverErr, u.ownErr} {
		if err != nil && !errors.Is(err, errors.ErrUnsupported) {
			list = append(list, fmt.Sprintf("the memory of a run could not be read: %v", err))
		}
	}
	return list
}

// Memory is judged for large transfers only: in small ones the runtime's own memory
// outweighs the data.
const (
	muchInFlight = 4 << 20
	fairCopies   = 4
)

// excess reports that the client held more than fairCopies copies of the data in
// flight: the payload, the request, the reply and what has been read of it.
func (u *memory) excess() string {
	copies := float64(u.peak-u.idle) / float64(u.inFlight)
	if u.ownErr != nil || u.inFlight < muchInFlight || u.idle == 0 || copies <= fairCopies {
		return ""
	}
	return fmt.Sprintf("the client had %.1f × size × parallel resident beyond its idle memory, more than %d; garbage counts", copies, fairCopies)
}
