package probe

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sockets"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/syscalls"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
)

// TracerID is what host.Start is told to serve to get a tracer: a process that counts
// the system calls of others. The client cannot, since no process traces itself.
const TracerID = "tracer"

// traceRequest tells a tracer whose system calls to count.
type traceRequest struct {
	PIDs  []int
	Ports sockets.Ports
	Paths []string
	// Datagrams says that connections are of UDP, whose sockets have no peer.
	Datagrams bool
}

// tracer is the child's side.
type tracer struct {
	load.Orders
	trace *syscalls.Trace
}

// NewTracer returns what a tracer's process serves.
func NewTracer() (*tracer, error) {
	t := new(tracer)
	return t, t.Take(map[string]http.Handler{
		"/begin": load.Answer(func(q traceRequest) (_ struct{}, err error) {
			if q.Datagrams {
				t.trace, err = syscalls.StartDatagrams(q.PIDs)
			} else {
				t.trace, err = syscalls.Start(q.PIDs, q.Ports, q.Paths...)
			}
			return struct{}{}, err
		}),
		"/counts": load.Answer(func(struct{}) (map[int]syscalls.Counts, error) {
			if t.trace == nil {
				return nil, errors.New("counts before begin")
			}
			return t.trace.Counts(), nil
		}),
	})
}

// Close implements host.Server.
func (t *tracer) Close() error {
	if t.trace != nil {
		return errors.Join(t.trace.Stop(), t.Orders.Close())
	}
	return t.Orders.Close()
}

// tracing is the parent's side: it counts the system calls of processes until stop.
type tracing struct{ tracer *host.Host }

func startTracing(ctx context.Context, cpus cpus.Set, q traceRequest) (*tracing, error) {
	h, err := host.Start(ctx, host.Config{Serve: TracerID, CPUs: cpus})
	if err != nil {
		return nil, err
	}
	syscalls.Allow(h.Ready().PID)
	if err := (load.Child{Host: h}).Ask("/begin", q, &struct{}{}); err != nil {
		return nil, errors.Join(err, h.Stop())
	}
	return &tracing{h}, nil
}

func (t *tracing) stop() error { return t.tracer.Stop() }

// A process is at rest when it has moved no bytes for a while. It may go on to do so
// after the call that it is about has ended.
const (
	resting  = 2 * time.Millisecond
	restless = 200 // reads of the counts until they are taken as they are
)

// counts returns the system calls so far of processes at rest.
func (t *tracing) counts() (now map[int]syscalls.Counts, err error) {
	var last map[int]syscalls.Counts
	for range restless {
		now = nil
		if err = (load.Child{Host: t.tracer}).Ask("/counts", struct{}{}, &now); err != nil || atRest(last, now) {
			break
		}
		last = now
		time.Sleep(resting)
	}
	return now, err
}

func atRest(last, now map[int]syscalls.Counts) bool {
	for pid, c := range now {
		if last == nil || c.Data != last[pid].Data {
			return false
		}
	}
	return last != nil
}
