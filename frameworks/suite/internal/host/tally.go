package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const (
	pathHandled = "/handled"
	pathSpans   = "/spans"
)

// These are servers that count, the calls that their handlers have completed and the spans
// of OTel with a parent.
type (
	manyHandled interface{ Handled() int64 }
	manySpans   interface{ Spans() int64 }
)

// Handled returns how many calls the handlers of the child's server have completed since
// the first call of Handled, which starts the count. The error is errors.ErrUnsupported if
// the server does not count.
func (h *Host) Handled(ctx context.Context) (calls int64, err error) {
	return h.tally(ctx, pathHandled, "handled calls")
}

// Spans returns how many spans with a parent have ended in the child since the first call
// of Spans, as Handled does it.
func (h *Host) Spans(ctx context.Context) (spans int64, err error) {
	return h.tally(ctx, pathSpans, "spans")
}

func (h *Host) tally(ctx context.Context, path, what string) (n int64, err error) {
	answer := struct{ Count *int64 }{&n}
	err = h.ask(ctx, path, h.config.ControlTimeout, func(text io.Reader) error {
		return json.NewDecoder(io.LimitReader(text, maxFigures)).Decode(&answer)
	})
	if err == nil && answer.Count == nil {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return 0, fmt.Errorf("host: %s of %s: %w", what, h.config.Serve, err)
	}
	return n, nil
}

// serveTally answers with the count of a server that is a C.
func serveTally[C any](s Server, count func(C) int64) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var answer struct{ Count *int64 }
		if counter, ok := s.(C); ok {
			n := count(counter)
			answer.Count = &n
		}
		_ = json.NewEncoder(w).Encode(answer) // fails only if the parent has gone
	}
}
