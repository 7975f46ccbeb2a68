package probe

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
)

func TestAGivenServerSaysWhatItCannotDo(t *testing.T) {
	s := server.New(server.Given{At: "h:1"})
	assert.ErrorIs(t, s.Pause(), errors.ErrUnsupported)
	assert.ErrorIs(t, s.Resume(), errors.ErrUnsupported)
	assert.NoError(t, s.Err())
	u := NewUsage([]*server.Server{s})
	u.start()
	u.stop()
	assert.Empty(t, u.metrics(1, ""))
	assert.NoError(t, u.unknown(), "it is not ours to read")
}
