package suite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheListOfCasesTellsTheirTime(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, pattern := range []string{"Echo|Conn|Cluster", ".", "Echo/framework=twin/transport=tcp/codec=gob/size=1B", "Load/framework=tiny"} {
		out, errOut, code := self(t, "-cases", "-test.bench="+pattern, "-size=1B,2B", "-framework=tiny,twin", "-set=all")
		require.Zero(t, code, errOut)
		first, _, _ := strings.Cut(errOut, "\n")
		assert.Regexp(t, fmt.Sprintf(`^# %d cases, about [0-9hms]+$`, len(strings.Fields(out))), first)
	}
}

// benchrounds tells a binary without cases from bad input by the first line.
func TestTheListOfNoCases(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, c := range []struct{ about, args, say string }{
		{"the pattern matches none", "-test.bench=Echo/framework=twin/transport=udp", "# 0 cases\nrpcbench: -bench=Echo/framework=twin/transport=udp matches no case: "},
		{"what is asked for cannot be had", "-test.bench=Idle -net=rate-1gbit", "# 0 cases\n# skipped: BenchmarkIdle: net=rate-1gbit: "},
		{"no framework has a variant of the set", "-test.bench=Echo -set=protobuf -framework=tiny", "# 0 cases\n# skipped: -set=protobuf: no variant of these sends it: tiny\nrpcbench: -set=protobuf -framework=tiny: no variant is left"},
		{"bad input is another matter", "-test.bench=Echo -framework=nosuch", "rpcbench: -framework: unknown framework"},
	} {
		out, errOut, code := self(t, append([]string{"-cases"}, strings.Fields(c.args)...)...)
		assert.Equal(t, 2, code, c.about)
		assert.Empty(t, out, c.about)
		assert.True(t, strings.HasPrefix(errOut, c.say), "%s: %s", c.about, errOut)
	}
}

func TestLongRunsSayHowToShortenThem(t *testing.T) {
	t.Parallel()
	unraced(t)
	_, errOut, _ := self(t, "-cases", "-test.bench=Echo|Capacity", "-framework=tiny,twin", "-size=1B,2B", "-conc=1,10")
	assert.Contains(t, errOut, "\n# for less: -set=recommended, one -size, one -conc, a narrower -bench such as Echo/framework=tiny\n")
	_, errOut, _ = self(t, "-cases", "-test.bench=Echo", "-framework=tiny", "-size=1B")
	assert.Equal(t, 1, strings.Count(errOut, "\n"), "a short one needs no advice: %s", errOut)
}
