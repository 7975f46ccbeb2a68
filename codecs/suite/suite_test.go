package suite

import (
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

//go:noinline
func nothingAppended(dst []byte, _ *messages.Small) ([]byte, error) { return dst, nil }

//go:noinline
func nothingDecoded(_ []byte, _ *messages.Small) error { return nil }

//go:noinline
func nothingReset(_ *messages.Small) {}

// The loops of a bed are compared with loops that call the same functions
// directly. The fastest of many short runs is what the machine's other work
// has not touched.
func TestDispatchCostsHalfACallAtMost(t *testing.T) {
	b := newBed(Serializer[messages.Small]{Append: nothingAppended, Unmarshal: nothingDecoded, Reset: nothingReset}).(*nativeBed[messages.Small])
	require.NoError(t, b.load(messages.KindSmall.Sample(warmMessages)))
	for _, row := range []struct {
		op     operation
		direct func(n int)
	}{
		{marshal, func(n int) {
			for i := range n {
				b.buf, _ = nothingAppended(b.buf[:0], b.natives[i&(len(b.natives)-1)])
			}
		}},
		{unmarshalReuse, func(n int) {
			for i := range n {
				nothingReset(b.reused)
				nothingDecoded(b.sources[i&(len(b.sources)-1)], b.reused)
			}
		}},
	} {
		t.Run(string(row.op), func(t *testing.T) {
			var suite, direct float64
			for range 5 { // again where the machine had other work
				suite, direct = fastest(func(n int) { require.NoError(t, b.run(row.op, n)) }, row.direct)
				if suite <= 1.5*direct {
					break
				}
			}
			t.Logf("%.2f ns an operation, %.2f called directly", suite, direct)
			assert.LessOrEqual(t, suite, 1.5*direct)
		})
	}
}

// fastest returns the nanoseconds of an operation of two in the best of many runs, which
// take turns.
func fastest(one, other func(n int)) (ofOne, ofOther float64) {
	const n = 50_000
	best := [2]time.Duration{time.Hour, time.Hour}
	for range 50 {
		for i, run := range []func(int){one, other} {
			start := time.Now()
			run(n)
			best[i] = min(best[i], time.Since(start))
		}
	}
	return float64(best[0].Nanoseconds()) / n, float64(best[1].Nanoseconds()) / n
}

func TestSeededMessages(t *testing.T) {
	for _, kind := range append(messages.Measured, messages.KindNext, messages.KindMapped) {
		t.Run(kind.Name, func(t *testing.T) {
			assert.Equal(t, kind.Seeded(7), kind.Seeded(7), "the same in every run")
			assert.NotEqual(t, kind.Seeded(7), kind.Seeded(8), "and different from each other")
		})
	}
}

func TestConvertFindsFieldsByTheirNames(t *testing.T) {
	var small struct {
		Id      *int64
		Name_   *string
		Active  bool
		Score   *float64
		private int
	}
	_ = small.private
	want := messages.KindSmall.Seeded(1)
	require.NoError(t, Convert(&small, want))
	got := new(messages.Small)
	require.NoError(t, Convert(got, &small))
	assert.Equal(t, want, got)
	assert.Error(t, Convert(&struct{ ID []int }{}, want), "types that do not fit are an error")
	assert.Error(t, Convert(&struct{ Other int64 }{}, want), "names that do not fit as well")
}
