package streams

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
)

// judged is a stream within this process whose every tenth answer is wrong.
type judged chan uint64

func (j judged) Send(number uint64) error {
	j <- number
	return nil
}

func (j judged) Recv() (number uint64, err error) {
	number, ok := <-j
	switch {
	case !ok:
		return 0, errors.New("closed")
	case number%10 == 9:
		return number, Wrong{errors.New("not what was sent")}
	}
	return number, nil
}

// TestAWrongAnswerFailsItsMessage and no other: the stream goes on.
func TestAWrongAnswerFailsItsMessage(t *testing.T) {
	for name, schedule := range map[string]loadgen.Schedule{"open": loadgen.Constant(1000), "closed": loadgen.ClosedLoop} {
		synctest.Test(t, func(t *testing.T) {
			stream := make(judged, 1)
			defer close(stream)
			load, err := New(Config{}, stream)
			require.NoError(t, err)
			res, err := load.Run(context.Background(), loadgen.Config{Workers: 1, Schedule: schedule, Calls: 100, Drain: time.Second, RuntimeTimers: true})
			require.NoError(t, err)
			assert.Equal(t, []int64{100, 90, 10}, []int64{res.Sent, res.OK, res.Failed}, name)
			assert.Equal(t, "not what was sent", res.ErrorKinds[0].Text, name)
			assert.Zero(t, res.Ended, name)
		})
	}
}
