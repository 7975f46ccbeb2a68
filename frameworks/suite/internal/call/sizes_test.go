package call

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

const mixed = "mix:64B-60_1KiB-30_64KiB-10"

func sequence(t testing.TB, text string, rank, ranks int) *Sequence {
	size, err := plan.ReadSize(text)
	require.NoError(t, err)
	return NewSequence(size.Spread, rank, ranks)
}

// recorder is a client that keeps the sizes of the requests in their order.
type recorder struct {
	fakes.Client
	sizes *[]int
}

func (c recorder) Echo(requests []framework.EchoMessage, check framework.EchoCheck) loadgen.Call {
	return func(_ context.Context, worker int) error {
		*c.sizes = append(*c.sizes, len(requests[worker].Msg))
		return check(worker, requests[worker])
	}
}

// sent makes a run of calls by three workers in turn, and returns the sizes of its requests.
func sent(t *testing.T, q *Sequence, calls int) (sizes []int, taken Taken) {
	j, err := prepareEcho(t.Context(), recorder{sizes: &sizes}, Requests{Workers: 3, Sizes: q})
	require.NoError(t, err)
	require.NoError(t, j.Call(t.Context(), 0), "a warm-up")
	sizes = nil
	_, err = j.Sizes.Over(func(ctx context.Context, _ loadgen.Config) (*loadgen.Result, error) {
		for i := range calls {
			if err := j.Call(ctx, i%3); err != nil {
				return nil, err
			}
			if err := j.Check(i % 3); err != nil {
				return nil, err
			}
		}
		return nil, nil
	})(t.Context(), loadgen.Config{})
	require.NoError(t, err)
	return sizes, j.Sizes.Taken()
}

func sumOf(sizes []int) (sum int) {
	for _, n := range sizes {
		sum += n
	}
	return sum
}

// TestWhatIsSentIsNominal over 100,000 calls, within 1 %, and another client sends the same.
func TestWhatIsSentIsNominal(t *testing.T) {
	const calls = 100_000
	for _, c := range []struct {
		text           string
		mean, p50, p99 float64
	}{
		{mixed, .6*64 + .3*1024 + .1*65536, 64, 65536},
		{"lognormal:1KiB:2", 1302.1, 1024, 5135.3},
	} {
		sizes, taken := sent(t, sequence(t, c.text, 0, 1), calls)
		again, _ := sent(t, sequence(t, c.text, 0, 1), calls/10)
		assert.True(t, slices.Equal(sizes[:calls/10], again), "%s: two clients have one sequence", c.text)
		assert.Equal(t, Taken{calls, int64(sumOf(sizes)), int64(slices.Max(sizes))}, taken, c.text)
		slices.Sort(sizes)
		assert.InEpsilon(t, c.mean, float64(sumOf(sizes))/calls, .01, "%s: mean", c.text)
		assert.InEpsilon(t, c.p50, sizes[calls/2-1], .01, "%s: p50", c.text)
		assert.InEpsilon(t, c.p99, sizes[calls/100*99-1], .01, "%s: p99", c.text)
	}
}

// TestRanksBeginApart, and what they send together is what one would send.
func TestRanksBeginApart(t *testing.T) {
	const calls = 5000
	whole, of := sent(t, sequence(t, mixed, 0, 1), 4*calls)
	var all []int
	var together Taken
	for rank := range 4 {
		sizes, taken := sent(t, sequence(t, mixed, rank, 4), calls)
		all, together = append(all, sizes...), together.And(taken)
	}
	assert.Equal(t, whole, all)
	assert.Equal(t, of, together)
}

// TestTakenIsOfTheRun: calls before it do not count, and a part of a round counts as it came.
func TestTakenIsOfTheRun(t *testing.T) {
	for _, calls := range []int{0, 1, 7, 20_000, 20_001, 40_007} {
		sizes, taken := sent(t, sequence(t, mixed, 0, 1), calls)
		assert.EqualValues(t, sumOf(sizes), taken.Bytes, "%d calls", calls)
		assert.EqualValues(t, calls, taken.Calls)
	}
}

// TestRepliesOfOtherSizesAreNoticed: no call gets the reply of another for its own.
func TestRepliesOfOtherSizesAreNoticed(t *testing.T) {
	for about, text := range map[string]string{
		"small ones": "mix:64B-50_1KiB-50", "slices of the array, too": "mix:1KiB-50_100KiB-50",
		"slices alone": "mix:65KiB-50_200KiB-50", "the smallest with a number": "mix:1B-50_9B-50",
	} {
		const calls, workers = 50, 2
		q := Requests{Workers: workers, Sizes: sequence(t, text, 0, 1)}
		for late, want := range []int{0, calls - 1, calls - 1} {
			j, err := prepareEcho(t.Context(), wayward{choose: func(i int) int { return i - late }}, q)
			require.NoError(t, err)
			wrong := 0
			for i := range calls {
				if j.Call(t.Context(), i%workers) != nil || j.Check(i%workers) != nil {
					wrong++
				}
			}
			assert.Equal(t, want, wrong, "%s: each is %d late", about, late)
		}
	}
}

// TestSentBytesOfAnySizeStay after a call is given up, also where another size was sent since.
func TestSentBytesOfAnySizeStay(t *testing.T) {
	requests, r := Requests{Workers: 1, Sizes: sequence(t, "mix:1B-20_8B-20_1KiB-20_64KiB-20_100KiB-20", 0, 1)}.Replies()
	type call struct{ given, was []byte }
	var calls []call
	for i := range 100 {
		r.Begin(0)
		if i%3 == 0 { // answered, so that its memory is used again
			require.NoError(t, r.Keep(0, requests[0]))
			require.NoError(t, r.Compare(0))
			continue
		}
		calls = append(calls, call{requests[0].Msg, bytes.Clone(requests[0].Msg)})
	}
	for _, c := range calls {
		assert.True(t, bytes.Equal(c.was, c.given), "%d bytes", len(c.was))
	}
}

func TestASizeOnceEach(t *testing.T) {
	taken := TakenOf(sequence(t, "mix:64B-50_1KiB-50", 0, 1).sizes)
	assert.Equal(t, Taken{20_000, 20_000 * 544, 1024}, taken)
	assert.Equal(t, []loadbench.Metric{{Value: 5.44, Unit: "MB/s"}, {Value: 544, Unit: "payload-mean-B"}, {Value: 1024, Unit: "payload-largest-B"}}, taken.Metrics(10_000))
}

// TestSizesOfNoBytes: a file may have nothing else.
func TestSizesOfNoBytes(t *testing.T) {
	sizes, taken := sent(t, sequence(t, "mix:0B-100", 0, 1), 10)
	assert.Equal(t, make([]int, 10), sizes)
	assert.Equal(t, Taken{Calls: 10}, taken)
}

// TestACallOfAnySizeAllocatesNothing here.
func TestACallOfAnySizeAllocatesNothing(t *testing.T) {
	requests, r := Requests{Workers: 1, Sizes: sequence(t, "mix:64B-50_100KiB-50", 0, 1)}.Replies()
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		r.Begin(0)
		if r.Keep(0, requests[0]) != nil || r.Compare(0) != nil {
			t.Error("not its own")
		}
	}))
}

// BenchmarkVary is what it costs to have a request of another size, beside BenchmarkTurn.
func BenchmarkVary(b *testing.B) {
	const workers = 64
	_, r := Requests{Workers: workers, Sizes: sequence(b, mixed, 0, 1)}.Replies()
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % workers {
		r[i].turn.unsure = false
		r.Begin(i)
	}
}

func TestOneSizeHasNoSequence(t *testing.T) {
	assert.Nil(t, NewSequence(nil, 0, 1))
	assert.Zero(t, TakenOf(nil))
	assert.Empty(t, (*Sequence)(nil).Taken().Metrics(1))
}
