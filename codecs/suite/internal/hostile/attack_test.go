package hostile

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHostile gives each fake 36 inputs, of which three are cut.
func TestHostile(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	find := func(name string) Target {
		for _, target := range append(faulty(), fakes...) {
			if target.ID == name {
				return target
			}
		}
		panic(name)
	}
	for _, row := range []struct {
		about, target string
		want          Hazard
		worst         string // a regular expression
		linux         bool   // what is known on Linux alone
	}{
		{"errors are not held against it", "good", Safe, "^$", false},
		{"nor is what it prints", "prints", Safe, "^$", false},
		{"nor are threads", "threads", Safe, "^$", false},
		{"a panic is counted and ends nothing", "panics", Panics, `^input \d+, .*: (invalid|unexpected)`, false},
		{"its text makes no line of its own", "forges", Panics, `^input 0, truncated: one\\nBenchmarkX 1 1 ns/op \\x1b\[2J$`, false},
		{"a death is counted, and the inputs after it are tried", "kills", Kills, "^input 0, truncated: runtime: out of memory", false},
		{"memory taken from the system is counted", "uses", Kills, `^input 0, truncated: took (299|30\d) MiB$`, true},
		{"so is what it only reserves", "reserves", Kills, `^input 0, truncated: took 20\d\d MiB$`, true},
		{"and what it allocates", "allocates", Kills, `^input 0, truncated: took 30\d MiB$`, false},
		{"reading past the input", "overreads", Kills, "^input 0, truncated: reads or writes behind its input$", false},
		{"writing past it", "overwrites", Kills, "^input 0, truncated: reads or writes behind its input$", false},
		{"writing into it", "writes", Kills, "^input 0, truncated: writes into its input$", false},
		{"writing anywhere", "wanders", Kills, "^input 0, truncated: touches memory that is not its own$", false},
		{"a panic of a goroutine that it leaves behind", "leaves", Kills, `^(after )?input \d+, .*: panic: late`, false},
		{"a panic of a timer, after the last input", "times", Kills, "^(after )?input .*: panic: in the end", false},
		{"ending the process as if all were well", "exits", Kills, "^input 0, truncated: ended its process, exit status 0$", false},
		{"ending it with a word", "exits3", Kills, "^input 0, truncated: ended its process, exit status 3: enough$", false},
	} {
		t.Run(row.about, func(t *testing.T) {
			if row.linux && runtime.GOOS != "linux" {
				t.Skip("the peak of the memory is known on Linux alone")
			}
			const n = 36
			v, err := Attack(find(row.target), n, time.Minute)
			require.NoError(t, err)
			assert.Equal(t, row.want, v.Hazard(), "%+v", v)
			assert.Regexp(t, row.worst, v.Worst)
			assert.Equal(t, n, v.Inputs(), "%+v", v)
			assert.NotZero(t, v.OK+v.Errors, "%+v", v)
		})
	}
}

// TestDeathsAndDelays has a decoder that ends its process every time, and one that does
// not come back.
func TestDeathsAndDelays(t *testing.T) {
	if why := Unsupported(); why != "" {
		t.Skip(why)
	}
	targets := map[string]Target{}
	for _, target := range faulty() {
		targets[target.ID] = target
	}
	v, err := Attack(targets["dies"], maxDeaths+5, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, Verdict{Killed: maxDeaths, LeftOut: 5, Worst: "input 0, truncated: ended its process, exit status 4", badness: badDeath}, v)
	v, err = Attack(targets["hangs"], 1, time.Second)
	require.NoError(t, err)
	assert.Equal(t, "input 0, truncated: took longer than 1s", v.Worst)
	_, err = Attack(Target{ID: "unknown"}, 1, time.Minute)
	assert.EqualError(t, err, `unknown: the victim took no input: ended its process, exit status 2: no entry "unknown"`)
}
