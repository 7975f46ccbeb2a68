package rig

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAGivenServerSaysWhatItCannotDo(t *testing.T) {
	s := newServer(given{"h:1"})
	assert.ErrorIs(t, s.Pause(), errors.ErrUnsupported)
	assert.ErrorIs(t, s.Resume(), errors.ErrUnsupported)
	assert.NoError(t, s.Err())
	u := newUsage([]*Server{s})
	u.start()
	u.stop()
	assert.Empty(t, u.metrics(1, ""))
	assert.NoError(t, u.unknown(), "it is not ours to read")
}
