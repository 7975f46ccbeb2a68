package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTimesAreRounded(t *testing.T) {
	assert.Equal(t, "9m5s", rounded(9*time.Minute+4700*time.Millisecond).String())
	assert.Equal(t, "1h31m0s", rounded(90*time.Minute+45*time.Second).String(), "to minutes")
}

func names() []string {
	return []string{"BenchmarkEcho/framework=a", "BenchmarkEcho/framework=b", "BenchmarkEcho/framework=c", "BenchmarkEcho/framework=d"}
}

func TestProgressIsToldBetweenLines(t *testing.T) {
	for _, c := range []struct {
		about string
		each  time.Duration // that a case takes
		want  string
	}{
		{"seldom", seldom / 4, ""},
		{"when some time has passed", seldom / 2, "# 2 of 4 cases done, 30s left\n"},
		{"at each case that takes long", 4 * seldom, "# 1 of 4 cases done, 6m0s left\n# 2 of 4 cases done, 4m0s left\n# 3 of 4 cases done, 2m0s left\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var text strings.Builder
			p := New(&text, names())
			for _, name := range names() {
				p.Begin(name)
				time.Sleep(c.each)
				before := text.String()
				p.Begin(name)
				assert.Equal(t, before, text.String(), "its name stands there when it is repeated")
				p.End()
			}
			before := text.String()
			time.Sleep(time.Hour)
			p.Begin("BenchmarkOther")
			assert.Equal(t, before, text.String(), "of another benchmark nothing is known")
			assert.Equal(t, c.want, text.String(), c.about)
		})
	}
}

func TestWhereARunIsInterrupted(t *testing.T) {
	first, second := names()[0], names()[1]
	for _, c := range []struct {
		about  string
		until  func(p *Progress)
		shared bool
		say    string
		name   string
	}{
		{"before anything", func(*Progress) {}, true, "# interrupted before the first case\n", ""},
		{"before what is measured first", func(p *Progress) { p.End() }, false, "# interrupted before the first case\n", ""},
		{"in a case", func(p *Progress) { p.Begin(first); p.End(); p.Begin(second) }, false, "# interrupted in case 2 of 4, which has no result\n", second},
		{"in a case whose line may be half printed", func(p *Progress) { p.Begin(first) }, true, "\n# interrupted in case 1 of 4, which has no result\n", first},
		{"when its line is printed", func(p *Progress) { p.Begin(first); p.Begin(first); p.End() }, true, "# interrupted after case 1 of 4\n", ""},
	} {
		var text strings.Builder
		p := New(nil, names())
		c.until(p)
		assert.Equal(t, c.name, p.Interrupt(&text, c.shared), c.about)
		assert.Equal(t, c.say, text.String(), c.about)
	}
}

func TestNoProgressWithoutCases(t *testing.T) {
	var p Progress
	assert.NotPanics(t, func() { p.Begin("BenchmarkX"); p.End() })
}

func TestAnnounce(t *testing.T) {
	for _, c := range []struct {
		about string
		names []string
		takes time.Duration
		say   string
	}{
		{"nothing of no cases", nil, time.Hour, ""},
		{"a short run needs no advice", names()[:1], longRun, "# 1 case, about 2m0s\n"},
		{"a long one does", names(), 3 * longRun, "# 4 cases, about 6m0s\n# for less: -set=recommended, one -size, one -conc, a narrower -bench such as Echo/framework=a\n"},
	} {
		var text strings.Builder
		Announce(&text, c.names, c.takes)
		assert.Equal(t, c.say, text.String(), c.about)
	}
}
