package tester

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// Results returns the result lines of an output.
func Results(stdout string) []string {
	return slices.DeleteFunc(strings.Split(stdout, "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "Benchmark") || !strings.Contains(line, " calls/s")
	})
}

// Value returns the value of a unit in a result line.
func Value(t require.TestingT, line, unit string) float64 {
	fields := strings.Fields(line)
	i := slices.Index(fields, unit)
	require.Positive(t, i, "%s: no %s", line, unit)
	v, err := strconv.ParseFloat(fields[i-1], 64)
	require.NoError(t, err, line)
	return v
}
