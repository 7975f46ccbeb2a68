package probe

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/server"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

func TestDetail(t *testing.T) {
	const ms = time.Millisecond
	soft := cpus.Taken{Inside: 100 * ms, Outside: 25 * ms, Others: 6}
	for _, c := range []struct {
		about  string
		probe  Probe
		client time.Duration // CPU time of a second
		want   []loadbench.Metric
	}{
		{"memory of both sides, and shares of a second of CPU time", Probe{
			Usage: &Usage{cpu: 400 * ms, Figures: host.Figures{RSS: 2000}}, Detail: &Detail{rss: 1000, taken: soft},
		}, 600 * ms, []loadbench.Metric{{Value: 1000, Unit: "client-rss-B"}, {Value: 2000, Unit: "server-rss-B"}, {Value: 10, Unit: "softirq-%"}, {Value: 2.5, Unit: "softirq-outside-%"}}},
		{"of two CPUs the sides used a half, others a quarter, and the host gave a tenth away", Probe{
			Usage: &Usage{cpu: 400 * ms}, Detail: &Detail{taken: cpus.Taken{Stolen: 200 * ms}}, Sides: Sides{CPUs: cpus.Set{0, 1}}, busy: 1500 * ms,
		}, 600 * ms, []loadbench.Metric{{Value: 0, Unit: "softirq-%"}, {Value: 25, Unit: "other-busy-%"}, {Value: 10, Unit: "stolen-%"}}},
		{"both sides have all CPUs", Probe{
			Usage: &Usage{cpu: 400 * ms}, Detail: &Detail{taken: cpus.Taken{Inside: 100 * ms}},
		}, 600 * ms, []loadbench.Metric{{Value: 10, Unit: "softirq-%"}}},
		{"of servers on another machine the client alone counts", Probe{
			Usage: &Usage{cpu: 400 * ms}, Detail: &Detail{taken: soft}, Sides: Sides{Remote: true},
		}, 500 * ms, []loadbench.Metric{{Value: 20, Unit: "softirq-%"}, {Value: 5, Unit: "softirq-outside-%"}}},
		{"soft interrupts are not known", Probe{
			Usage: &Usage{cpu: 400 * ms}, Detail: &Detail{rss: 1000, takenErr: errors.ErrUnsupported},
		}, 600 * ms, []loadbench.Metric{{Value: 1000, Unit: "client-rss-B"}}},
		{"the server is not known", Probe{
			Usage: &Usage{Err: server.ErrGiven, Figures: host.Figures{RSS: 2000}}, Detail: &Detail{rss: 1000, taken: soft},
		}, 600 * ms, []loadbench.Metric{{Value: 1000, Unit: "client-rss-B"}}},
		{"the CPU time of the client is not known", Probe{Usage: &Usage{cpu: 400 * ms}, Detail: &Detail{taken: soft}}, 0, nil},
		{"without -detail there is none", Probe{Usage: &Usage{cpu: 400 * ms, Figures: host.Figures{RSS: 2000}}}, 600 * ms, nil},
	} {
		m := ranFor(c.client)
		assert.Equal(t, c.want, c.probe.Detail.metrics(m, &c.probe), c.about)
		m.Elapsed = EnoughTime - 1
		assert.NotContains(t, units(c.probe.Detail.metrics(m, &c.probe)), "softirq-%", "too short: %s", c.about)
	}
	var none *Detail
	none.start(nil)
	none.stop(nil)
}

func units(list []loadbench.Metric) (names []string) {
	for _, m := range list {
		names = append(names, m.Unit)
	}
	return names
}
