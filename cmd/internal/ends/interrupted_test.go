package ends

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// TestInterruptedChildren: a child may hear of an interrupt before this process does.
func TestInterruptedChildren(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for _, c := range []struct {
		about, code string
		heard       time.Duration // when this process hears of it; 0 for never
		want        bool
	}{
		{"both have heard of it", "exit 130", time.Nanosecond, true},
		{"the child was first", "exit 130", heardWithin / 2, true},
		{"somebody has interrupted the child alone", "exit 130", 0, false},
		{"a child without an exit code of its own for it was first", "exit 1", mayBeHeardWithin / 2, true},
		{"the child failed", "exit 1", 0, false},
		{"the child failed, and the interrupt comes after it", "exit 1", heardWithin / 2, false},
		{"it went well", "exit 0", 0, false},
	} {
		err := exec.Command("sh", "-c", c.code).Run()
		if err != nil {
			err = fmt.Errorf("nothing was measured: %w", err)
		}
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.heard > 0 {
				time.AfterFunc(c.heard, cancel)
			}
			if got := Interrupted(ctx, err); got != c.want {
				t.Errorf("%s: %v, want %v", c.about, got, c.want)
			}
		})
	}
}
