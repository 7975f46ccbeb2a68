package suite

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
)

func TestCoresAreTold(t *testing.T) {
	unraced(t)
	t.Parallel()
	if cpus, err := cpus.Available(); runtime.GOOS != "linux" || err != nil || len(cpus) < 2 {
		t.Skip("one CPU cannot be divided")
	}
	out, errOut, code := self(t, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=2")...)
	require.Zero(t, code, errOut)
	assert.Regexp(t, `(?s)\npin: [0-9,-]+/[0-9,-]+\n.*\n# pin-cores: [^\n]* each`, out)
	out, errOut, code = self(t, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=2", "-pin=off")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, out, "\npin: off (as asked)\n")
	assert.NotContains(t, out, "pin-cores: ")
}

func TestProcsAreThoseOfBothSides(t *testing.T) {
	unraced(t)
	t.Parallel()
	for _, pin := range []string{"-pin=off", "-pin=auto"} {
		out, errOut, code := selfIn(t, []string{"GOMAXPROCS=3"}, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=2", pin)...)
		require.Zero(t, code, errOut)
		assert.Contains(t, out, "\nclient-procs: 3\n", pin)
		assert.Contains(t, out, "\nserver-procs: 3\n", pin)
	}
}

func TestSettingsAreTold(t *testing.T) {
	unraced(t)
	t.Parallel()
	env := []string{"GOGC=50", "GOMEMLIMIT=1GiB", "GODEBUG=madvdontneed=1"}
	out, errOut, code := selfIn(t, env, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=2")...)
	require.Zero(t, code, errOut)
	for _, line := range []string{"gogc: 50", "gomemlimit: 1073741824", "godebug: madvdontneed=1", "pgo: not told"} {
		assert.Contains(t, out, "\n"+line+"\n")
	}
	assert.NotContains(t, errOut, "otherwise", "the server has the same")
}

func TestAServerThatSetsItsRuntime(t *testing.T) {
	unraced(t)
	t.Parallel()
	_, errOut, code := selfIn(t, []string{envServerGC + "=400"}, measuring("Echo", "-framework=tiny", "-size=1B", "-conc=2")...)
	require.Zero(t, code, errOut)
	assert.Contains(t, errOut, "# warning: server of framework=tiny/transport=tcp/codec=gob: it sets the Go runtime otherwise than the client (here): gogc is 100 here and 400 there\n")
}

func TestWrongGOGC(t *testing.T) {
	t.Parallel()
	out, errOut, code := selfIn(t, []string{"GOGC=abc"}, measuring("Echo", "-framework=tiny")...)
	assert.Equal(t, 2, code)
	assert.Empty(t, out)
	assert.Equal(t, "rpcbench: GOGC=abc: want a number of percent, or off; the runtime would ignore it and take 100\n", errOut)
}
