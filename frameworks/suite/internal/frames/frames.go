// Package frames counts the frames of each function in the stack of a call, so that what a call
// passes inside of others is seen without a counter in it, which would take time.
package frames

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Work is a workload that no flag has: the handler ends the call with an error that lists the
// counts of its own stack, see Handle.
const Work = "conformance-frames"

// holds is for how long the handler keeps the call, so that the stack of the client can be seen.
const holds = 20 * time.Millisecond

// Handle is the handler of Work.
func Handle() error {
	time.Sleep(holds)
	return fmt.Errorf("frames of functions: %v", counts(string(debug.Stack())))
}

// Of makes a call in a goroutine of its own, and returns its error and which counts its stack
// had while it waited. One call of the process is seen at a time.
func Of(call func() error) (seen []int, err error) {
	done := make(chan error, 1)
	go func() { done <- waits(call) }()
	for {
		select {
		case err := <-done:
			return seen, err
		case <-time.After(holds / 10):
			for _, n := range waiting() {
				if !slices.Contains(seen, n) {
					seen = append(seen, n)
				}
			}
		}
	}
}

// waits makes a call. Its name tells its goroutine.
func waits(call func() error) error { return call() }

// waiting returns the counts of the goroutine that waits; none if there is no such goroutine.
func waiting() []int {
	for one := range strings.SplitSeq(all(), "\n\n") {
		if strings.Contains(one, "/frames.waits(") {
			return counts(one)
		}
	}
	return nil
}

// all returns the stacks of all goroutines.
func all() string {
	for b := make([]byte, 1<<20); ; b = make([]byte, 2*len(b)) {
		if n := runtime.Stack(b, true); n < len(b) {
			return string(b[:n])
		}
	}
}

// counts returns how many frames the functions of a stack have, each number once, in order.
func counts(stack string) (list []int) {
	frames := map[string]int{}
	for line := range strings.Lines(stack) {
		if at := strings.LastIndexByte(line, '('); at > 0 && line[0] != '\t' {
			frames[line[:at]]++
		}
	}
	for _, n := range frames {
		list = append(list, n)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
