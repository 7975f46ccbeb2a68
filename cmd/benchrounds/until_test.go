package main

import (
	"strings"
	"testing"
)

// TestRoundsFollowFromTheSpread: what is known after -n rounds does not run again.
func TestRoundsFollowFromTheSpread(t *testing.T) {
	for _, c := range []struct {
		about, flags string
		code         int
		good, wide   int // runs
		say          string
	}{
		{"without -within all have -n", "-n=6", 0, 6, 6, "round 6/6 done, 24 of 24 results"},
		{"one is measured until its interval is narrow", "-n=6 -within=10 -unit=ns/op", 0, 6, 12, "1 of 2 binaries have a figure wider than ±10 %: round 12 of at most 20\n"},
		{"or until there are -most rounds", "-n=6 -within=10 -most=8 -unit=x,ns/op", 0, 6, 8, "round 8/8 done, 28 of 28 results"},
		{"each turn of a round is a value", "-n=6 -turns=2 -within=10 -unit=ns/op", 0, 12, 12, "round 6/6 done, 48 of 48 results"},
		{"a figure that always is the same is known", "-n=6 -within=10 -unit=calls/s", 0, 6, 6, "round 6/6 done, 24 of 24 results"},
		{"a unit that no line has", "-n=6 -within=10 -unit=x", 1, 6, 6, "benchrounds: -within: no line has x: choose others by -unit\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := room(t)
			stderr, code := do(t, dir, append(strings.Fields(c.flags), "f=good", "g=wide")...)
			equal(t, "the exit code", code, c.code)
			equal(t, "runs of what is always the same", strings.Count(content(t, dir, "f"), "PASS"), c.good)
			equal(t, "runs of what differs", strings.Count(content(t, dir, "g"), "BenchmarkA"), c.wide)
			contains(t, stderr, c.say)
		})
	}
}
