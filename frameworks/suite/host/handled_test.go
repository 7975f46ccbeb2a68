package host

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHandledIsWhatTheServerSays(t *testing.T) {
	t.Parallel()
	h := launch(t, Config{Serve: "counts"})
	for want := range int64(3) {
		calls, err := h.Handled(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want+1, calls)
	}
	_, err := launch(t, Config{Serve: "echo"}).Handled(t.Context())
	assert.ErrorIs(t, err, errors.ErrUnsupported, "not every server counts")
}
