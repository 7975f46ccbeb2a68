package suite

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOutputThatIsLost runs this binary with a stdout that takes nothing.
func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, c := range []struct{ about, args string }{
		{"the help", "-h"},
		{"the list of cases", "-cases -test.run=^$ -test.bench=Codec/codec=good/msg=small"},
		{"results", "-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=good/msg=small"},
	} {
		t.Run(c.about, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
			var errOut bytes.Buffer
			cmd.Stdout, cmd.Stderr = full, &errOut
			require.Error(t, cmd.Run())
			assert.Equal(t, 1, cmd.ProcessState.ExitCode())
			assert.Contains(t, errOut.String(), "codecs: write /dev/stdout: no space left on device\n")
		})
	}
}

// TestForeignText has text of the environment and of a decoder with a line break and
// a terminal's command in it.
func TestForeignText(t *testing.T) {
	const forged = "x\nBenchmarkForged 1 1 ns/op\x1b[2J"
	for _, c := range []struct{ about, table, env, args string }{
		{"a setting", "good", "GODEBUG=" + forged, "-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=good/msg=small/op=unmarshal$"},
		{"an error of a benchmark", "throws", throwing + "=" + forged, "-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=throws/msg=small"},
		{"an error of a parallel one", "throws", throwing + "=" + forged, "-test.run=^$ -test.benchtime=1x -test.bench=Parallel/codec=throws/msg=small/op=unmarshal"},
		{"a test's", "throws", throwing + "=" + forged, "-test.run=TestTable/^Conformance$"},
		{"another one's", "throws", throwing + "=" + forged, "-test.run=TestTable/^(Properties|Reuse|Together)$"},
		{"a fuzz target's", "throws", throwing + "=" + forged, "-test.run=FuzzPlanted"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			out, errOut, _ := selfIn(t, "", []string{c.env, fuzzedFake + "=throws", tableOnly + "=" + c.table}, strings.Fields(c.args)...)
			assert.Contains(t, out+errOut, `x\nBenchmarkForged 1 1 ns/op\x1b[2J`)
			assert.NotContains(t, out+errOut, "\x1b")
			assert.NotRegexp(t, `(?m)^\s*BenchmarkForged`, out+errOut)
		})
	}
}
