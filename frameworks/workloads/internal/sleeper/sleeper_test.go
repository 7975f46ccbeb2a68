package sleeper

import (
	"container/heap"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheFirstIsDueFirst: whatever the order in which sleeps begin.
func TestTheFirstIsDueFirst(t *testing.T) {
	var q queue
	var want, got []time.Duration
	for range 1000 {
		one := &sleep{due: time.Duration(rand.IntN(500)), awake: make(chan error, 1)}
		heap.Push(&q, one)
		want = append(want, one.due)
	}
	slices.Sort(want)
	for at := time.Duration(0); at < 500; at++ {
		before := slices.Clone(q)
		q.end(at, nil)
		for _, one := range before {
			assert.Equal(t, one.due <= at, one.over)
			if one.over {
				got = append(got, one.due)
				assert.Len(t, one.awake, 1)
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Empty(t, q)
}

// TestEachSleepsItsTime in fake time, with more than one at once: the timer is set anew for
// those that begin later and end before the others, and one that waits for it hands it over.
func TestEachSleepsItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSleeper(newRuntimeAlarm())
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for range 100 {
					d := time.Duration(rand.IntN(1000)) * time.Microsecond
					begin := time.Now()
					assert.NoError(t, s.Sleep(d))
					assert.Equal(t, d, time.Since(begin))
				}
			})
		}
		all.Wait()
		assert.Empty(t, s.asleep)
		assert.NoError(t, s.Close())
	})
}

func TestCloseEndsAllSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSleeper(newRuntimeAlarm())
		begin := time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() { assert.Equal(t, ErrClosed, s.Sleep(time.Duration(i+1)*time.Hour)) })
		}
		synctest.Wait()
		require.NoError(t, s.Close())
		all.Wait()
		assert.Zero(t, time.Since(begin))
		assert.Equal(t, ErrClosed, s.Sleep(time.Hour))
	})
}

// TestSleepsAreShortenedByWhatWakingTakes: on a timer that is late.
func TestSleepsAreShortenedByWhatWakingTakes(t *testing.T) {
	for _, c := range []struct {
		about          string
		late           time.Duration // of the timer
		sleeps         int
		d, least, most time.Duration // of the last sleep
	}{
		{"nothing is known at first", 30 * time.Microsecond, 1, time.Millisecond, 1030 * time.Microsecond, 1030 * time.Microsecond},
		{"a delay is learnt", 30 * time.Microsecond, 500, time.Millisecond, 999 * time.Microsecond, 1001 * time.Microsecond},
		{"a process that waits for a CPU sleeps longer", 500 * time.Microsecond, 2000, time.Millisecond, 1400 * time.Microsecond, 1400 * time.Microsecond},
		{"a sleep shorter than the delay takes half its time and the delay", 30 * time.Microsecond, 500, 10 * time.Microsecond, 35 * time.Microsecond, 35 * time.Microsecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSleeper(lateAlarm{newRuntimeAlarm(), c.late})
			defer s.Close()
			var took time.Duration
			for range c.sleeps {
				begin := time.Now()
				require.NoError(t, s.Sleep(c.d))
				took = time.Since(begin)
			}
			assert.GreaterOrEqual(t, took, c.least, c.about)
			assert.LessOrEqual(t, took, c.most, c.about)
		})
	}
}

// lateAlarm rings late.
type lateAlarm struct {
	*runtimeAlarm
	late time.Duration
}

func (a lateAlarm) set(d time.Duration) { a.runtimeAlarm.set(max(d, 0) + a.late) }

// TestSleepsOnTheSystemsTimer: in real time, many at once, and during Close.
func TestSleepsOnTheSystemsTimer(t *testing.T) {
	s, err := New()
	require.NoError(t, err)
	begin := time.Now()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			for range 50 {
				begin := time.Now()
				assert.NoError(t, s.Sleep(time.Millisecond))
				assert.GreaterOrEqual(t, time.Since(begin), time.Millisecond-mostLead)
			}
		})
	}
	all.Wait()
	assert.Less(t, time.Since(begin), 5*time.Second, "50 ms at best")
	for i := range 10 {
		all.Go(func() { assert.Equal(t, ErrClosed, s.Sleep(time.Duration(i+1)*time.Hour)) })
	}
	time.Sleep(time.Millisecond)
	require.NoError(t, s.Close())
	all.Wait()
	assert.Equal(t, ErrClosed, s.Sleep(time.Hour))
}
