package bed

import (
	"errors"
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

// small are functions of a serializer whose native is the message itself.
func small() Functions[messages.Small] {
	return Functions[messages.Small]{
		Append: nothingAppended, Appends: true, Unmarshal: nothingDecoded, Reset: nothingReset,
		Build: func(m *messages.Small, message any) error {
			s, ok := message.(*messages.Small)
			if !ok {
				return errors.New("no Small")
			}
			*m = *s
			return nil
		},
	}
}

// The loops of a bed are compared with loops that call the same functions
// directly. The fastest of many short runs is what the machine's other work
// has not touched.
func TestDispatchCostsHalfACallAtMost(t *testing.T) {
	b := New(small()).(*natives[messages.Small])
	require.NoError(t, b.Load(messages.KindSmall.Sample(Warm)))
	for _, row := range []struct {
		op     Operation
		direct func(n int)
	}{
		{Marshal, func(n int) {
			for i := range n {
				b.buf, _ = nothingAppended(b.buf[:0], b.list[i&(len(b.list)-1)])
			}
		}},
		{UnmarshalReuse, func(n int) {
			for i := range n {
				nothingReset(b.reused)
				nothingDecoded(b.encodings[i&(len(b.encodings)-1)], b.reused)
			}
		}},
	} {
		t.Run(string(row.op), func(t *testing.T) {
			var suite, direct float64
			for range 5 { // again where the machine had other work
				suite, direct = fastest(func(n int) { require.NoError(t, b.Run(row.op, n)) }, row.direct)
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

func TestBedsRefuse(t *testing.T) {
	b := New(small())
	assert.EqualError(t, b.Load(messages.KindSmall.Sample(3)), "3 messages: not a power of two")
	assert.NoError(t, b.Load(messages.KindSmall.Sample(4)))
	assert.Len(t, b.Encoded(), 4)
	assert.EqualError(t, b.Run("nothing", 1), `no operation "nothing"`)
	assert.True(t, b.Can(Marshal))
	assert.False(t, b.Can(Touch))
	assert.Error(t, b.Load([]any{&struct{ Other int }{}}), "it cannot be built")
	_, err := b.Encode(Marshal, nil, &struct{ Other int }{})
	assert.Error(t, err)
	_, err = Case{Kind: messages.KindNext}.Open(1)
	assert.EqualError(t, err, "no case for next")
}

func TestErrorsOfASerializerAreReturned(t *testing.T) {
	wrong := errors.New("wrong")
	f := small()
	f.Append = func([]byte, *messages.Small) ([]byte, error) { return nil, wrong }
	f.Marshal = func(*messages.Small) ([]byte, error) { return nil, wrong }
	f.Unmarshal = func([]byte, *messages.Small) error { return wrong }
	f.Touch = func(*messages.Small) uint64 { return 1 }
	b := New(f).(*natives[messages.Small])
	assert.EqualError(t, b.Load(messages.KindSmall.Sample(1)), "message 0: wrong")
	assert.True(t, b.Can(Touch))
	b.list, b.encodings = []*messages.Small{{}}, [][]byte{nil}
	for _, op := range Operations {
		assert.ErrorIs(t, b.Run(op, 1), wrong, op)
		assert.NoError(t, b.Run(op, 0), op)
	}
	assert.ErrorIs(t, b.DecodeTwice(nil, nil, nil, nil), wrong)
	assert.ErrorIs(t, b.Decode(Unmarshal, nil, nil), wrong)
	assert.ErrorIs(t, b.DecodeNative(nil), wrong)
}

// What is read in place is decoded by reading.
func TestDecodeNativeReads(t *testing.T) {
	f, read := small(), false
	f.Touch = func(*messages.Small) uint64 { read = true; return 1 }
	assert.NoError(t, New(f).DecodeNative(nil))
	assert.True(t, read)
}
