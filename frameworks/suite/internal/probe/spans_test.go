package probe

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpansThatEndLate(t *testing.T) {
	for _, c := range []struct {
		says string
		read []int64 // the last one is read for ever
		want int64
	}{
		{"all have ended", []int64{20, 20}, 10},
		{"some end after the reply", []int64{17, 18, 20, 20}, 10},
		{"a call has two", []int64{20, 25, 30, 30}, 20},
		{"there are none", []int64{10}, 0},
	} {
		t.Run(c.says, func(t *testing.T) {
			reads := c.read
			read := func() (n int64, err error) {
				n = reads[0]
				reads = reads[min(1, len(reads)-1):]
				return n, nil
			}
			n, err := spanCount{read: read, before: 10}.settled(10)
			require.NoError(t, err)
			assert.Equal(t, c.want, n)
		})
	}
}
