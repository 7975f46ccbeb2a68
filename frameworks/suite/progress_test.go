package suite

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

func TestClock(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                        "0 s",
		59400 * time.Millisecond: "59 s",
		59600 * time.Millisecond: "1 min 0 s",
		9*time.Minute + 5e9:      "9 min 5 s",
		10 * time.Minute:         "10 min",
		89*time.Minute + 20e9:    "89 min",
		90 * time.Minute:         "1.5 h",
		11*time.Hour + 50*60*1e9: "11.8 h",
	} {
		assert.Equal(t, want, clock(d))
	}
}

// tinyEstimate estimates four cases of the tiny framework.
func tinyEstimate(t *testing.T) (*plan.Estimate, []string) {
	f := rig.NewFlags(rig.Table{Frameworks: tinyVariants()})
	f.Options.Pattern = "Echo/framework=tiny"
	f.Options.Sizes.Set("1B,2B,3B,4B")
	p, err := f.Plan()
	require.NoError(t, err)
	return p.Estimate(plan.Pace{Each: time.Second, Times: 2}, func(plan.Case) bool { return true }), p.Names()
}

func TestProgressIsToldBetweenLines(t *testing.T) {
	for _, c := range []struct {
		about string
		apart bool
		ago   time.Duration // when progress was told last
		want  int
	}{
		{"beside the results seldom", false, 0, 0},
		{"but then", false, time.Minute, 1},
		{"apart from them with each case but the first", true, 0, 3},
	} {
		var text strings.Builder
		e, names := tinyEstimate(t)
		p := progress{view: terminal.View{Writer: &text, Apart: c.apart}, estimate: e, told: time.Now().Add(-c.ago), seen: map[string]bool{}}
		for _, name := range names {
			p.begin(name)
			assert.False(t, p.half, "the last line ended")
			p.begin(name)
			assert.True(t, p.half, "by its repeats, the name stands there")
		}
		p.begin("BenchmarkOther")
		assert.Equal(t, c.want, strings.Count(text.String(), "\n"), "%s: %s", c.about, &text)
		for line := range strings.Lines(text.String()) {
			assert.Regexp(t, `^# [123] of 4 cases done, \d+ s left\n$`, line)
		}
	}
}

func TestNoProgressWithoutASession(t *testing.T) {
	var p progress
	assert.NotPanics(t, func() { p.begin("BenchmarkX"); p.goOn() })
}
