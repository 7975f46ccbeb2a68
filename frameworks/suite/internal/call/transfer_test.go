package call

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestErrorsNameTheTransfer(t *testing.T) {
	j := Job{
		Call:  func(context.Context, int) error { return errors.New("lost") },
		Check: func(int) error { return errNotIntact },
	}.Named("framework=a", 10)
	assert.EqualError(t, j.Call(t.Context(), 0), "framework=a: a transfer of 10 bytes: lost")
	assert.EqualError(t, j.Check(0), "framework=a: a transfer of 10 bytes: what came back is not what was sent")
}
