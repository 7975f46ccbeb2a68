package figure

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// loaded are lines of a framework that can do 1,000 calls a second.
func loaded(name, percent string, rate, offered, wasted float64, more ...any) lines.Line {
	return values("Load/framework="+name+"/size=1KiB/load="+percent, "calls/s", rate, append([]any{"offered/s", offered, "wasted-%", wasted}, more...)...)
}

// overloads has a framework that collapses and one that sheds.
func overloads() []lines.Line {
	return []lines.Line{
		loaded("queue", "50%", 500, 500, 0), loaded("queue", "100%", 990, 1000, 1), loaded("queue", "200%", 40, 2000, 97.5, "recover-ns", 1.9e9, "retries/op", .96),
		loaded("shed", "50%", 500, 500, 0), loaded("shed", "100%", 1000, 1000, 0), loaded("shed", "200%", 980, 2000, 0, "recover-ns", 8e6, "retries/op", .5),
	}
}

func TestWhoCollapsesAndWhoSheds(t *testing.T) {
	r := report(overloads()...)
	s := section(t, r, "overload")
	assert.Len(t, s.Panels, 1)
	assert.Equal(t, "Load, 1KiB", s.Panels[0].Name)
	var got []string
	for _, text := range shown(r) {
		if len(text) > 8 && text[:8] == "overload" {
			got = append(got, text)
		}
	}
	assert.Equal(t, []string{
		"overload-goodput: correct replies, in % of the capacity, %: [Load, 1KiB] queue(50)=50 50-50 queue(100)=99 99-99 queue(200)=4 4-4 shed(50)=50 50-50 shed(100)=100 100-100 shed(200)=98 98-98",
		"overload-wasted: wasted work, %: [Load, 1KiB] queue(50)=0 0-0 queue(100)=1 1-1 queue(200)=97.5 97.5-97.5 shed(50)=0 0-0 shed(100)=0 0-0 shed(200)=0 0-0",
		"overload-recovery: time to recover, ns: [Load, 1KiB] queue(200)=1.9e+09 1.9e+09-1.9e+09 shed(200)=8e+06 8e+06-8e+06",
	}, got)
	assert.Equal(t, "% of the capacity", s.Figures[0].Charts[0].X)
	assert.False(t, s.Figures[0].Charts[0].Bars)
	assert.True(t, s.Figures[2].Charts[0].Bars, "one overload each")
}

func TestTheTableOfAnOverload(t *testing.T) {
	table := report(overloads()...).Tables[0]
	assert.Equal(t, []string{"framework", "% of the capacity", "calls/s", "p50 ms", "p99 ms", "p99.9 ms", "wasted %", "recovery ms", "retries"}, table.Head)
	assert.Equal(t, []string{"queue", "200%", "40", "143", number.Missing, number.Missing, "97.5", "1900", "0.960"}, table.Rows[2])
}

// TestBelowTheCapacityNothingIsOverloaded: nor is an offered rate needed for anything else.
func TestBelowTheCapacityNothingIsOverloaded(t *testing.T) {
	for _, l := range []lines.Line{overloads()[0], values("Load/framework=a/load=110%", "p50-ns", 5)} {
		for _, s := range report(l).Sections {
			assert.NotEqual(t, "overload", s.ID)
		}
	}
}
