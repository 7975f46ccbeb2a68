package host

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxFigures bounds the bytes of an answer that is kept in memory. Profiles go to a writer
// as they come: the trace of a busy server is as large as it is.
const maxFigures = 1 << 20

// control requests path of the child's control server and copies the answer to w.
func (h *Host) control(ctx context.Context, path string, w io.Writer) error {
	return h.ask(ctx, path, h.config.ControlTimeout, func(answer io.Reader) error { _, err := io.Copy(w, answer); return err })
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

// Authorize adds the child's secret to a request for its server, if that was started by
// ServeGuarded.
func (h *Host) Authorize(r *http.Request) { r.Header.Set(secretHeader, h.secret) }
