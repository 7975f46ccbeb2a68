package suite

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func BenchmarkCodec(b *testing.B) {
	Codec(b)
	require.NoError(b, writeCalls())
}

func BenchmarkParallel(b *testing.B) {
	Parallel(b)
	require.NoError(b, writeCalls())
}

// self runs this test binary with flags.
func self(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	return selfIn(t, "", nil, args...)
}

// selfIn is self in a directory, with more in the environment.
func selfIn(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		require.True(t, errors.As(err, new(*exec.ExitError)), "%v", err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// TestTypos has one sentence that helps for each mistyped flag and each selection
// of nothing.
func TestTypos(t *testing.T) {
	for _, c := range []struct{ about, args, say string }{
		{"two letters are swapped", "-dtaa=cold", "unknown flag -dtaa; did you mean -data?"},
		{"a flag that nothing is like", "-colour", "unknown flag -colour; -h lists the flags, after go test . -args -h"},
		{"a flag of go test without test. before it", "-bench=Codec", "-bench is a flag of go test: write it before -args, or -test.bench for a compiled binary"},
		{"a key as a flag", "-codec=json,sonic", "there is no flag -codec: -bench selects by keys, as in -bench 'Codec/codec=(json|sonic)'"},
		{"another key", "-op=marshal", "there is no flag -op: -bench selects by keys, as in -bench 'Codec/codec=/msg=/op=marshal'"},
		{"mistyped data", "-data=clod", `-data: unknown "clod"; did you mean cold?`},
		{"a number that is none", "-mutations=many", "-mutations=many: must be a whole number"},
		{"too small a number", "-mutations=0", "-mutations=0: must be more than 0"},
		{"a package after our flags", "-data=cold ./adapters", `arguments left over after the flags: ["./adapters"]; write our flags with = and after the package`},
		{"a mistyped benchmark", "-cases -test.bench=Codce", "-bench=Codce matches no case: there is no benchmark Codce; did you mean Codec?"},
		{"a mistyped serializer", "-cases -test.bench=Codec/codec=godo", "-bench=Codec/codec=godo matches no case: there is no codec=godo; did you mean good?"},
		{"a serializer that there is not", "-cases -test.bench=Codec/codec=xml", "-bench=Codec/codec=xml matches no case: there is no codec=xml: there are good, shares, changes, panics, kills, loses, known"},
		{"a benchmark's name begins with Benchmark", "-cases -test.bench=^Codec", "-bench=^Codec matches no case: no benchmark is ^Codec; did you mean ^BenchmarkCodec?"},
		{"a list in a pattern", "-cases -test.bench=Codec/codec=good,loses", "-bench=Codec/codec=good,loses matches no case: several values are written codec=(good|loses)"},
		{"a value without its key", "-cases -test.bench=Codec/good/smal1", "-bench=Codec/good/smal1 matches no case: there is no msg=smal1; did you mean small?"},
		{"a key at another one's place", "-cases -test.bench=Codec/codec=good/op=marshal", "-bench=Codec/codec=good/op=marshal matches no case: op= has another place, as in 'Codec/codec=/msg=/op=marshal'"},
		{"a mistyped key", "-cases -test.bench=Codec/codc=good", "-bench=Codec/codc=good matches no case: there is no key codc=; did you mean codec=?"},
		{"what is skipped", "-cases -test.bench=Codec/codec=good -test.skip=Codec", "-bench=Codec/codec=good matches no case: no case has all of these keys, or -skip=Codec skips those that have"},
		{"what the serializer does not do", "-cases -test.bench=Codec/codec=good/msg=small/op=touch", "-bench=Codec/codec=good/msg=small/op=touch matches no case: no case has all of these keys"},
	} {
		t.Run(c.about, func(t *testing.T) {
			out, errOut, code := self(t, append([]string{"-test.run=^$"}, strings.Fields(c.args)...)...)
			assert.Equal(t, "codecs: "+c.say+"\n", errOut)
			assert.Equal(t, 2, code)
			assert.Empty(t, out, "nothing has run")
		})
	}
	_, errOut, code := self(t, "-test.run=^$", "-test.bench=Codec/codec=godo")
	assert.Equal(t, 2, code)
	assert.Contains(t, errOut, "did you mean good?", "without -cases, too")
}

func TestHelp(t *testing.T) {
	out, errOut, code := self(t, "-h")
	assert.Zero(t, code)
	assert.Empty(t, errOut)
	assert.Contains(t, out, "\nFlags\n  -data messages ")
	assert.NotContains(t, out, "\nMore\n", "every flag has its subject")
}
