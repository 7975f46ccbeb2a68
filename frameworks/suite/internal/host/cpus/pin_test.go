package cpus

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseCPUs(t *testing.T) {
	tests := []struct {
		about, in string
		want      Set
		text      string // of want
		err       string
	}{
		{about: "one number", in: "4", want: Set{4}, text: "4"},
		{about: "ranges and numbers", in: "0-3,6", want: Set{0, 1, 2, 3, 6}, text: "0-3,6"},
		{about: "order and repeats do not matter", in: "6,1,0-1", want: Set{0, 1, 6}, text: "0-1,6"},
		{about: "a range may be one CPU", in: "5-5", want: Set{5}, text: "5"},
		{about: "nothing is not a set", in: "", err: `CPUs "": a number is missing`},
		{about: "an open list", in: "1,", err: `CPUs "1,": a number is missing`},
		{about: "an open range", in: "1-", err: `CPUs "1-": a number is missing`},
		{about: "a negative number is an open range", in: "-1", err: `CPUs "-1": a number is missing`},
		{about: "a backward range", in: "3-0", err: `CPUs "3-0": range 3-0 runs backwards`},
		{about: "a word", in: "all", err: `CPUs "all": "all" is not a CPU number`},
		{about: "blanks", in: "0, 1", err: `CPUs "0, 1": " 1" is not a CPU number`},
		{about: "more than a mask holds", in: "0-4000000", err: `CPUs "0-4000000": CPU 4000000 is beyond 1023`},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			got, err := Parse(tt.in)
			if tt.err != "" {
				assert.EqualError(t, err, tt.err+"; want numbers and ranges, as in 0-3,6")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
			assert.Equal(t, tt.text, got.String())
		})
	}
	assert.Empty(t, Set{}.String())
}

// TestLineCPUs: a line has what both sides leave.
func TestLineCPUs(t *testing.T) {
	all := Set{0, 1, 2}
	for _, c := range []struct {
		spec string
		want Set
	}{{"0/1", Set{2}}, {"0,2/1", all}, {"0/1/1-2", Set{1, 2}}, {"off", all}} {
		got, err := parsePin(c.spec, all, Topology{}, "linux")
		require.NoError(t, err)
		assert.Equal(t, c.want, got.Line, c.spec)
	}
}

func TestParsePin(t *testing.T) {
	tests := []struct {
		about, spec string
		available   Set
		goos        string // "" for linux
		want        string // in the form of Pinning.String
		err         string
	}{
		{about: "auto does not pin to one CPU", spec: "auto", available: Set{3}, want: "off (1 CPU available, 2 needed)"},
		{about: "auto does not pin elsewhere", spec: "auto", available: Set{0, 1}, goos: "darwin", want: "off (not supported on darwin)"},
		{about: "off", spec: "off", available: Set{0, 1}, want: "off (as asked)"},
		{about: "off needs no support", spec: "off", goos: "darwin", want: "off (as asked)"},
		{about: "explicit sets", spec: "0,2/1,3", available: Set{0, 1, 2, 3}, want: "0,2/1,3"},
		{about: "explicit sets need support", spec: "0/1", available: Set{0, 1}, goos: "darwin", err: `pin "0/1": pinning is not supported on darwin; want auto or off`},
		{about: "a word", spec: "fast", err: `pin "fast": want auto, off or SERVER/CLIENT, as in 0-3/4-7`},
		{about: "nothing", spec: "", err: `pin "": want auto, off or SERVER/CLIENT, as in 0-3/4-7`},
		{about: "no server", spec: "/1", available: Set{0, 1}, err: `pin "/1": SERVER names no CPU; want SERVER/CLIENT, as in 0-3/4-7`},
		{about: "no client", spec: "0/", available: Set{0, 1}, err: `pin "0/": CLIENT names no CPU; want SERVER/CLIENT, as in 0-3/4-7`},
		{about: "a line with CPUs of its own", spec: "0/1/2", available: Set{0, 1, 2}, want: "0/1/2"},
		{about: "a line on the CPUs of a side", spec: "0/1/0-1", available: Set{0, 1}, want: "0/1/0-1"},
		{about: "no line", spec: "0/1/", available: Set{0, 1}, err: `pin "0/1/": LINE names no CPU; want SERVER/CLIENT, as in 0-3/4-7`},
		{about: "four sides", spec: "0/1/2/3", available: Set{0, 1, 2, 3}, err: `pin "0/1/2/3": LINE: CPUs "2/3": "2/3" is not a CPU number; want numbers and ranges, as in 0-3,6`},
		{about: "CPUs that are not there", spec: "0/1-3", available: Set{0, 1}, err: `pin "0/1-3": CPU 2-3 is not available; this process may use 0-1`},
		{about: "one CPU for both", spec: "0-1/1", available: Set{0, 1}, err: `pin "0-1/1": CPU 1 is on both sides; server and client must not share one`},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			goos := tt.goos
			if goos == "" {
				goos = "linux"
			}
			got, err := parsePin(tt.spec, tt.available, Topology{}, goos)
			if tt.err != "" {
				assert.EqualError(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.String())
			assert.Equal(t, got.Why == "", got.Pinned())
		})
	}
}

func TestExplicitPinDoubts(t *testing.T) {
	available, err := Parse("0-15")
	require.NoError(t, err)
	topology := ReadTopology(ryzen3700.root(t), available)
	for spec, want := range map[string][]string{
		"0-3,8-11/4-7,12-15": nil,
		"0/1":                nil,
		"0/8":                {"server and client share the core of CPUs 0,8: each slows the other"},
		"0-7/8-9":            {"server and client share the core of CPUs 0,8 and that of 1,9: each slows the other"},
	} {
		got, err := parsePin(spec, available, topology, "linux")
		require.NoError(t, err, spec)
		assert.Equal(t, want, got.Doubts, spec)
		assert.Empty(t, got.Cores, "nothing was chosen")
	}
}

func TestAvailable(t *testing.T) {
	set, err := Available()
	require.NoError(t, err)
	assert.NotEmpty(t, set)
	again, err := Parse(set.String())
	require.NoError(t, err)
	assert.Equal(t, set, again)
}
