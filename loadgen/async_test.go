package loadgen

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAnAnswerThatComesWhileGivingUpCounts has the answer counted before the call is
// given up, and stored after.
func TestAnAnswerThatComesWhileGivingUpCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := errors.New("the answer")
		p := newReply(&course{}, nil, nil)
		p.calls.Store(8) // the answer to call 7 has come
		go func() {
			time.Sleep(time.Second)
			p.at, p.result = 3, answer
			p.arrived <- struct{}{}
		}()
		assert.Equal(t, answer, p.giveUp(7, errUnfinished))
		assert.Equal(t, time.Duration(3), p.at)
		assert.Empty(t, p.arrived, "it is not the answer to the next call")
	})
}
