package host

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTalliesAreWhatTheServerSays(t *testing.T) {
	t.Parallel()
	h := launch(t, Config{Serve: "counts"})
	for want := range int64(3) {
		calls, err := h.Handled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want+1, calls)
		spans, err := h.Spans(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 2*(want+1), spans)
	}
	h = launch(t, Config{Serve: "echo"})
	_, err := h.Handled(t.Context())
	assert.ErrorIs(t, err, errors.ErrUnsupported, "not every server counts")
	_, err = h.Spans(t.Context())
	assert.ErrorIs(t, err, errors.ErrUnsupported, "nor spans")
}
