package dial

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

func TestHowManyClientsAreDialed(t *testing.T) {
	for _, c := range []struct {
		about       string
		calls, want int
	}{
		{"as many as a p99 takes where -benchtime is a time", 0, 10_000},
		{"few where the benchmark only has to run", 1, smokeDials},
		{"and otherwise what -benchtime says", 500, 500},
	} {
		var s rig.Settings
		s.Load.Calls = int64(c.calls)
		assert.Equal(t, c.want, dials(&s), c.about)
	}
}
