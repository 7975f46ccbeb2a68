package sending

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestGuard(t *testing.T) {
	for _, c := range []struct {
		about  string
		during func(*Guard)
		closes bool
	}{
		{"nothing is being sent", func(*Guard) {}, false},
		{"a request has been sent", func(g *Guard) { g.Begin(); g.End() }, false},
		{"a request is being sent for ever", func(g *Guard) { g.Begin() }, true},
		{"the request is sent in time", func(g *Guard) { g.Begin(); time.AfterFunc(patience/2, g.End) }, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed := false
				g := &Guard{Close: func() { closed = true }}
				ctx, cancel := context.WithCancel(t.Context())
				var w Watch
				w.Over(ctx, g)
				w.Over(ctx, g) // the same context
				c.during(g)
				cancel()
				time.Sleep(2 * patience)
				synctest.Wait()
				assert.Equal(t, c.closes, closed)
			})
		})
	}
}

// A watch follows the worker to its next context.
func TestWatchOfAnotherContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := false
		g := &Guard{Close: func() { closed = true }}
		first, cancel := context.WithCancel(t.Context())
		var w Watch
		w.Over(first, g)
		w.Over(context.Background(), g)
		g.Begin()
		cancel()
		time.Sleep(2 * patience)
		assert.False(t, closed)
	})
}

func TestLeaving(t *testing.T) {
	reply, err := Leaving(t.Context(), func() (int, error) { return 7, nil })
	assert.NoError(t, err)
	assert.Equal(t, 7, reply)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	hold := make(chan struct{})
	defer close(hold)
	_, err = Leaving(ctx, func() (int, error) { <-hold; return 7, nil })
	assert.ErrorIs(t, err, context.Canceled)
}
