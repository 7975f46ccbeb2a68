//go:build !linux

package loadgen

func newNapper(Wait) (napper, error) { return newTimerNapper(), nil }
