package progress

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestExpectedTime(t *testing.T) {
	for _, c := range []struct {
		about, benchtime, count string
		want                    time.Duration
	}{
		{"rounds take half as long again", "1s", "1", setUpTime + 1500*time.Millisecond},
		{"repeats have one set-up", "0.05s", "10", setUpTime + 750*time.Millisecond},
		{"a number of operations", "1000x", "1", setUpTime + 3*time.Millisecond},
	} {
		assert.Equal(t, c.want, expected(c.benchtime, c.count), c.about)
	}
}

func TestProgressIsToldBetweenLines(t *testing.T) {
	for _, c := range []struct {
		about string
		ago   time.Duration // when progress was told last
		want  string
	}{
		{"seldom", seldom / 2, ""},
		{"but then", seldom, "# 1 of 4 cases done, 30s left\n"},
	} {
		var text strings.Builder
		p := Progress{out: &text, cases: 4}
		p.Tell(0)
		p.began, p.told = p.began.Add(-10*time.Second), p.told.Add(-c.ago)
		p.Tell(1)
		assert.Equal(t, c.want, text.String(), c.about)
	}
	assert.NotPanics(t, func() { new(Progress).Tell(1) })
}

func TestCountingTakesTheFlagsThatSelect(t *testing.T) {
	given := map[string]string{"bench": "Codec", "skip": "Codec/codec=good", "cpu": "1,2", "cpuprofile": "cpu.out"}
	assert.Equal(t, []string{
		"-cases", "-test.run=^$", "-test.benchtime=1x", "-data=cold", "-test.bench=Codec", "-test.skip=Codec/codec=good", "-test.cpu=1,2",
	}, countArgs(func(name string) string { return given[name] }, "cold"))
}
