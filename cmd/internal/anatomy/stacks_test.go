package anatomy

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cpuProfile is a profile of CPU time with one stack, whose inner function is inlined into
// the outer one.
func cpuProfile() *profile.Profile {
	outer, inner := &profile.Function{ID: 1, Name: "main.outer"}, &profile.Function{ID: 2, Name: "runtime.inner"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: inner}, {Function: outer}}}
	m := &profile.Mapping{ID: 1, BuildID: "abc"}
	return &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Function:   []*profile.Function{outer, inner}, Location: []*profile.Location{at}, Mapping: []*profile.Mapping{m},
		Sample: []*profile.Sample{{Location: []*profile.Location{at}, Value: []int64{7, 7e6}}, {Value: []int64{2, 2e6}}},
	}
}

func written(t *testing.T, p *profile.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.Bytes()
}

func TestProfilesAreRead(t *testing.T) {
	s, build, err := ReadProfile(written(t, cpuProfile()))
	require.NoError(t, err)
	assert.Equal(t, Stacks{"main.outer;runtime.inner": 7, "runtime.goexit": 2}, s)
	assert.Equal(t, "abc", build)
	assert.EqualValues(t, 9, s.Total())
}

func TestProfilesThatTellNoParts(t *testing.T) {
	for _, c := range []struct {
		about, want string
		data        func() []byte
	}{
		{"a text", "not a profile: ", func() []byte { return []byte("goroutine 1 [running]") }},
		{"a profile of memory", "not a CPU profile: take -anatomy, or -cpuprofile", func() []byte {
			p := cpuProfile()
			p.SampleType[1].Type = "alloc_space"
			return written(t, p)
		}},
		{"one of no time", "a CPU profile without a sample: measure for longer", func() []byte {
			p := cpuProfile()
			p.Sample = nil
			return written(t, p)
		}},
		{"one whose functions have no names", "no function of it is named as those of Go are: the profile is of another program, or its names were stripped", func() []byte {
			p := cpuProfile()
			p.Function[0].Name, p.Function[1].Name = "", "[unknown]"
			return written(t, p)
		}},
	} {
		_, _, err := ReadProfile(c.data())
		assert.ErrorContains(t, err, c.want, c.about)
	}
}

func TestFoldedStacksAreKept(t *testing.T) {
	s := Stacks{"a.b;c.d(int, string)": 3, "e": 1}
	var b strings.Builder
	require.NoError(t, s.WriteFolded(&b))
	assert.Equal(t, "a.b;c.d(int, string) 3\ne 1\n", b.String())
	again, err := ReadFolded([]byte(b.String()))
	require.NoError(t, err)
	assert.Equal(t, s, again)
	for _, wrong := range []string{"", "a", "a b", "a 0", "a -1", "a 1\nb"} {
		_, err := ReadFolded([]byte(wrong))
		assert.ErrorContains(t, err, "is not a stack and its number of samples", wrong)
	}
}
