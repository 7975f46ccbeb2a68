package host

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/sampling"
)

// Paths of a child's control server.
const (
	pathStartProfile = "/profile/start"
	pathStopProfile  = "/profile/stop"
)

// ProfileKinds are the kinds of profiles that StartProfile takes.
var ProfileKinds = []string{"cpu", CPUTicks, "trace", "allocs", "block", "mutex"}

// CPUTicks is the kind of a CPU profile with a sample at each tick, see package sampling.
const CPUTicks = "cpu-ticks"

// StartProfile begins a profile of the child. The kinds "cpu", "cpu-ticks", "trace",
// "block" and "mutex" cover the time from now on, "allocs" the whole life of the process. A
// profile makes the child slower.
func (h *Host) StartProfile(ctx context.Context, kind string) error {
	err := h.control(ctx, pathStartProfile+"?kind="+url.QueryEscape(kind), io.Discard)
	if err != nil {
		return fmt.Errorf("host: start the %s profile of %s: %w", kind, h.config.Serve, err)
	}
	return nil
}

// StopProfile ends a profile and writes it to w.
func (h *Host) StopProfile(ctx context.Context, kind string, w io.Writer) error {
	err := h.control(ctx, pathStopProfile+"?kind="+url.QueryEscape(kind), w)
	if err != nil {
		return fmt.Errorf("host: write the %s profile of %s: %w", kind, h.config.Serve, err)
	}
	return nil
}

// PprofURL returns where the child answers net/http/pprof. It contains the secret.
func (h *Host) PprofURL() string {
	return "http://" + h.ready.Control + "/" + h.secret + "/debug/pprof/"
}

// profiler takes profiles of its own process.
type profiler struct {
	mu       sync.Mutex
	timeline bytes.Buffer // the trace
	cpu      bytes.Buffer
}

func (p *profiler) start(kind string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch kind {
	case "cpu":
		p.cpu.Reset()
		return pprof.StartCPUProfile(&p.cpu)
	case CPUTicks:
		p.cpu.Reset()
		return sampling.Start(&p.cpu)
	case "trace":
		p.timeline.Reset()
		return trace.Start(&p.timeline)
	case "block":
		runtime.SetBlockProfileRate(1)
	case "mutex":
		runtime.SetMutexProfileFraction(1)
	}
	return nil
}

func (p *profiler) stop(kind string, w io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch kind {
	case "cpu", CPUTicks:
		pprof.StopCPUProfile()
		_, err := p.cpu.WriteTo(w)
		return err
	case "trace":
		trace.Stop()
		_, err := p.timeline.WriteTo(w)
		return err
	case "block":
		runtime.SetBlockProfileRate(0)
	case "mutex":
		runtime.SetMutexProfileFraction(0)
	}
	return pprof.Lookup(kind).WriteTo(w, 0)
}

// serve answers both paths.
func (p *profiler) serve(w http.ResponseWriter, r *http.Request) {
	kind := r.FormValue("kind")
	if !slices.Contains(ProfileKinds, kind) {
		http.Error(w, fmt.Sprintf("no profile %q: there are %v", kind, ProfileKinds), http.StatusBadRequest)
		return
	}
	var profile bytes.Buffer
	var err error
	if r.URL.Path == pathStartProfile {
		err = p.start(kind)
	} else {
		err = p.stop(kind, &profile)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	_, _ = profile.WriteTo(w) // fails only if the parent has gone
}
