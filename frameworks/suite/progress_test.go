package suite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	benches "github.com/rpcbench/rpcbench/frameworks/suite/internal/bench"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/estimate"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/terminal"
)

func TestTimesAreRounded(t *testing.T) {
	assert.Equal(t, "9m5s", rounded(9*time.Minute+4700*time.Millisecond).String())
	assert.Equal(t, "1h31m0s", rounded(90*time.Minute+45*time.Second).String(), "to minutes")
}

// tinyEstimate estimates four cases of the tiny framework.
func tinyEstimate(t *testing.T) (*estimate.Estimate, []string) {
	f := rig.NewFlags(rig.Table{Frameworks: tinyVariants()}, benches.All)
	f.Options.Pattern = "Echo/framework=tiny"
	f.Options.Sizes.Set("1B,2B,3B,4B")
	p, err := f.Plan()
	require.NoError(t, err)
	return estimate.New(p.Selected(), estimate.Pace{Each: time.Second, Times: 2}), p.Names()
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
			assert.Regexp(t, `^# [123] of 4 cases done, \d+s left\n$`, line)
		}
	}
}

func TestWhereARunIsInterrupted(t *testing.T) {
	for _, c := range []struct {
		about string
		until func(p *progress, names []string)
		say   string
	}{
		{"before anything", func(*progress, []string) {}, "# interrupted before the first case\n"},
		{"before what is measured first", func(p *progress, _ []string) { p.end() }, "# interrupted before the first case\n"},
		{"in a case", func(p *progress, names []string) { p.begin(names[0]); p.end(); p.begin(names[1]) }, "# interrupted in case 2 of 4, which has no result\n"},
		{"when its line is printed", func(p *progress, names []string) { p.begin(names[0]); p.goOn(); p.end() }, "# interrupted after case 1 of 4\n"},
	} {
		var text strings.Builder
		e, names := tinyEstimate(t)
		p := progress{estimate: e, seen: map[string]bool{}}
		c.until(&p, names)
		p.interrupted(&text)
		assert.Equal(t, c.say, text.String(), c.about)
	}
}

func TestNoProgressWithoutASession(t *testing.T) {
	var p progress
	assert.NotPanics(t, func() { p.begin("BenchmarkX"); p.goOn(); p.end() })
}

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
	assert.Contains(t, errOut, "\n# for less: -set=recommended (6 cases, 3m8s), a -bench without Capacity (9m2s), one -size=1B, one -conc=1, a narrower -bench such as Echo/framework=tiny\n")
	_, errOut, _ = self(t, "-cases", "-test.bench=Echo", "-framework=tiny", "-size=1B")
	assert.Equal(t, 1, strings.Count(errOut, "\n"), "a short one needs no advice: %s", errOut)
}
