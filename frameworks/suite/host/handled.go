package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

const pathHandled = "/handled"

// manyHandled is a server that counts the calls that its handlers have completed.
type manyHandled interface{ Handled() int64 }

// Handled returns how many calls the handlers of the child's server have completed since
// the first call of Handled, which starts the count. The error is errors.ErrUnsupported if
// the server does not count.
func (h *Host) Handled(ctx context.Context) (calls int64, err error) {
	answer := struct{ Calls *int64 }{&calls}
	err = h.ask(ctx, pathHandled, h.config.ControlTimeout, func(text io.Reader) error {
		return json.NewDecoder(io.LimitReader(text, maxFigures)).Decode(&answer)
	})
	if err == nil && answer.Calls == nil {
		err = errors.ErrUnsupported
	}
	if err != nil {
		return 0, fmt.Errorf("host: handled calls of %s: %w", h.config.Serve, err)
	}
	return calls, nil
}

func serveHandled(s Server) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		var answer struct{ Calls *int64 }
		if counter, ok := s.(manyHandled); ok {
			calls := counter.Handled()
			answer.Calls = &calls
		}
		_ = json.NewEncoder(w).Encode(answer) // fails only if the parent has gone
	}
}
