// Package scales has tests see that work grows with its input, and not with the square of it.
// Times that are compared are of the same process, so no test asserts how fast a machine is,
// and are of the CPU where the system tells: others that take it do not make work longer.
package scales

import (
	"runtime"
	"time"
)

// most is how many times as long ten times the input may take. The square takes 100 times.
const most = 30

// Test is what a test gives to Linear.
type Test interface {
	Helper()
	Errorf(format string, args ...any)
}

// Linear fails if work on ten times n takes far more than ten times as long as on n. The times
// are the least of several, since others take the caches as well.
func Linear(t Test, n int, work func(n int)) {
	t.Helper()
	small, large := took(n, work), time.Duration(0)
	for range 5 {
		small = min(small, took(n, work))
	}
	for range 5 {
		if large = took(10*n, work); large <= most*small {
			return
		}
	}
	t.Errorf("%d take %v, but %d take %v: more than %d times as long", n, small, 10*n, large, most)
}

// took is the CPU time of work, which has no goroutine but this one.
func took(n int, work func(n int)) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := cpuTime()
	work(n)
	return cpuTime() - begin
}
