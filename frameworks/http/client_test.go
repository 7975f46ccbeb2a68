package http

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRefusalsAreReadInPart: a server that fails each call with a page costs no more than it has
// to say, and is told in the same words.
func TestRefusalsAreReadInPart(t *testing.T) {
	page := strings.Repeat("page ", 1<<20)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, page)
	}))
	t.Cleanup(s.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, nil)
	require.NoError(t, err)
	_, _, err = do(s.Client(), r)
	assert.ErrorContains(t, err, "http: status 503: page page")
	assert.Less(t, len(err.Error()), 2*mostText)
}
