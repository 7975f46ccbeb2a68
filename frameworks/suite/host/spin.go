package host

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Spin keeps each of these CPUs busy until stop is called, as a saturated process does.
func Spin(cpus CPUSet) (stop func()) {
	var stopped atomic.Bool
	var all sync.WaitGroup
	for _, cpu := range cpus {
		all.Go(func() {
			runtime.LockOSThread() // its thread ends with the goroutine
			_ = pinThread(CPUSet{cpu})
			for !stopped.Load() { //nolint:revive // it is to be busy
			}
		})
	}
	return func() {
		stopped.Store(true)
		all.Wait()
	}
}
