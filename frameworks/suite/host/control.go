package host

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"net/url"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/limit"
)

// pathFigures is a path of a child's control server, which also has the paths of
// net/http/pprof.
const pathFigures = "/figures"

// maxFigures bounds the bytes of an answer that is kept in memory. Profiles go to a writer
// as they come: the trace of a busy server is as large as it is.
const maxFigures = 1 << 20

// controlMux returns the handlers of a child's control server. They are not in
// http.DefaultServeMux, because frameworks serve that.
func controlMux(s Server) *http.ServeMux {
	r := new(reader)
	mux := http.NewServeMux()
	mux.HandleFunc(pathFigures, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(r.read()) // fails only if the parent has gone
	})
	mux.HandleFunc(pathResetPeak, serveResetPeak)
	mux.HandleFunc(pathHoldings, serveHoldings)
	mux.HandleFunc(pathHandled, serveTally(s, manyHandled.Handled))
	mux.HandleFunc(pathSpans, serveTally(s, manySpans.Spans))
	p := new(profiler)
	mux.HandleFunc(pathStartProfile, p.serve)
	mux.HandleFunc(pathStopProfile, p.serve)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

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

// Pprof writes a profile of the child to w, in the format of net/http/pprof. The
// profiles "profile" (CPU) and "trace" are taken over the given seconds, which must
// be more than 0. Of the others ("heap", "allocs", "goroutine", "mutex", "block" …)
// it writes the difference over the given seconds, or with 0 the present state.
func (h *Host) Pprof(ctx context.Context, profile string, seconds int, w io.Writer) error {
	timed := profile == "profile" || profile == "trace"
	if seconds < 0 || timed && seconds == 0 {
		return fmt.Errorf("host: pprof %s of %s for %d seconds: want more", profile, h.config.Serve, seconds)
	}
	path := "/debug/pprof/" + url.PathEscape(profile)
	if seconds > 0 {
		path += "?seconds=" + strconv.Itoa(seconds)
	}
	timeout := h.config.ControlTimeout + time.Duration(seconds)*time.Second
	if err := h.control(ctx, path, timeout, w); err != nil {
		return fmt.Errorf("host: pprof %s of %s: %w", profile, h.config.Serve, err)
	}
	return nil
}

// control requests path of the child's control server and copies the answer to w, all
// within timeout.
func (h *Host) control(ctx context.Context, path string, timeout time.Duration, w io.Writer) error {
	return h.ask(ctx, path, timeout, func(answer io.Reader) error { _, err := io.Copy(w, answer); return err })
}

// ask requests path of the child's control server and has take read the answer, all
// within timeout.
func (h *Host) ask(ctx context.Context, path string, timeout time.Duration, take func(answer io.Reader) error) error {
	select {
	case <-h.done:
		return errors.New("the server has ended")
	default:
	}
	if err := h.config.Link.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.ready.Control+path, nil)
	if err != nil {
		return err
	}
	h.Authorize(request)
	response, err := h.client.Do(request)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(text))
	}
	return take(response.Body)
}
