package tcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// errClosed is the error of calls after Close.
var errClosed = errors.New("tcp: closed by the client")

// reason returns why a connection failed. If ctx has ended that is the reason, and err
// only its consequence.
func reason(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("tcp: %w", ctx.Err())
	}
	if d, ok := ctx.Deadline(); ok && !time.Now().Before(d) { // ctx ends in a moment: the connection noticed its deadline first
		return fmt.Errorf("tcp: %w", context.DeadlineExceeded)
	}
	return lost(err)
}

// lost returns the error of a call whose connection failed or could not be opened.
func lost(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return errClosed
	}
	return fmt.Errorf("tcp: no connection: %w", err)
}
