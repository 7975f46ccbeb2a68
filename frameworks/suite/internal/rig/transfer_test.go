package rig

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestErrorsNameTheTransfer(t *testing.T) {
	j := job{
		call:  func(context.Context, int) error { return errors.New("lost") },
		check: func(int) error { return errNotIntact },
	}.named("framework=a", 10)
	assert.EqualError(t, j.call(t.Context(), 0), "framework=a: a transfer of 10 bytes: lost")
	assert.EqualError(t, j.check(0), "framework=a: a transfer of 10 bytes: what came back is not what was sent")
}
