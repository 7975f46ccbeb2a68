package resilience

import (
	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/process"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// assertEnd asserts that a process ended without a panic, and needed little memory for
// variants with this Announced.
func assertEnd(t tester.T, ended process.Ended, announced string) {
	assert.Contains(t, []int{0, 1, 2}, ended.ExitCode, "%s", ended.Stderr)
	assertNoPanic(t, ended.Stdout+ended.Stderr)
	assertSmall(t, ended.Peak, announced)
}

// assertSmall asserts that a server has grown by little, or that a client was small.
// The race detector needs several times the memory.
func assertSmall(t tester.T, bytes int64, announced string) {
	t.Logf("%d MiB", bytes>>20)
	if race.Enabled {
		return
	}
	assert.Less(t, bytes, mostMemory(announced), announced)
}

// assertNoPanic asserts that a process has printed no stack, and that no call has
// panicked. A server may answer that its handler has: some find out so what is wrong.
func assertNoPanic(t tester.T, printed string) {
	assert.NotRegexp(t, `(?m)^(panic|fatal error): |^goroutine \d|panicked: |panic serving`, printed)
}

// mostMemory is how many bytes a server may grow by in a storm, and how many a client
// may have resident. With an Announced it is twice what TarsGo allocates for a message.
func mostMemory(announced string) int64 {
	if announced != "" {
		return 4 << 30
	}
	return 256 << 20
}
