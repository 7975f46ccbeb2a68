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
)

// pathFigures is a path of a child's control server, besides those of
// net/http/pprof.
const pathFigures = "/figures"

// controlMux is what a child answers. It is a mux of its own, because
// frameworks serve http.DefaultServeMux.
func controlMux() *http.ServeMux {
	r := new(reader)
	mux := http.NewServeMux()
	mux.HandleFunc(pathFigures, func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(r.read()) // a parent that left needs no answer
	})
	mux.HandleFunc(pathResetPeak, serveResetPeak)
	p := new(profiler)
	mux.HandleFunc(pathStartProfile, p.serve)
	mux.HandleFunc(pathStopProfile, p.serve)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// Figures reads the child's figures, for the moments before and after a run:
// to count every allocation it stops the child's world for some 10-40 µs.
func (h *Host) Figures(ctx context.Context) (Figures, error) {
	r, err := h.read(ctx)
	if err != nil {
		return Figures{}, fmt.Errorf("host: figures of %s: %w", h.config.Serve, err)
	}
	return r.without(h.cost, r.Reads), nil
}

// calibrate finds what one reading adds to the figures: the least difference
// between successive ones, as whatever else the child does adds to them, too.
// The first reading opens the connection and is left out.
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
	var body bytes.Buffer
	if err := h.control(ctx, pathFigures, h.config.ControlTimeout, &body); err != nil {
		return reading{}, err
	}
	err = json.Unmarshal(body.Bytes(), &r)
	return r, err
}

// Pprof writes a profile of the child to w, in the format of net/http/pprof:
// "profile" (CPU) and "trace" run for seconds, which must be > 0 for them; of
// the others ("heap", "allocs", "goroutine", "mutex", "block" …) 0 writes the
// state, and more the difference over so many seconds.
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

// control copies to w what the child answers on path, all within timeout.
func (h *Host) control(ctx context.Context, path string, timeout time.Duration, w io.Writer) error {
	select {
	case <-h.done:
		return errors.New("the server has ended")
	default:
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.ready.Control+path, nil)
	if err != nil {
		return err
	}
	response, err := h.client.Do(request)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10))
		return fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(text))
	}
	_, err = io.Copy(w, response.Body)
	return err
}
