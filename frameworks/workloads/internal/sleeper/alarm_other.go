//go:build !linux

package sleeper

// About says what a Sleeper waits on.
const About = "a timer of the Go runtime"

func newAlarm() (alarm, error) { return newRuntimeAlarm(), nil }
