package capacity

import (
	"context"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// fewer is how many searches a test makes: all, or some of them with -short.
func fewer(all, short int) int {
	if testing.Short() {
		return short
	}
	return all
}

// service returns a call that takes d.
func service(d time.Duration) loadgen.Call {
	return func(ctx context.Context, _ int) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func fixed(d time.Duration) func() time.Duration { return func() time.Duration { return d } }
