package process

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestTheMonitorIsNoOtherThread: threads that goroutines keep busy are not taken for it. It
// sleeps 20 µs and more between its rounds, so that it uses far less than they do.
func TestTheMonitorIsNoOtherThread(t *testing.T) {
	assert.NotEqual(t, os.Getpid(), second())
	assert.NotZero(t, second())
	before, own := Monitor(), OwnCPU()
	busy := 4
	done := make(chan bool)
	for range busy {
		go func() {
			runtime.LockOSThread()
			for begin := OwnCPU(); OwnCPU()-begin < 200*time.Millisecond; {
			}
			done <- true
		}()
	}
	for range busy {
		<-done
	}
	used, all := Monitor()-before, OwnCPU()-own
	assert.Less(t, used, all/2)
	assert.GreaterOrEqual(t, used, time.Duration(0))
}
