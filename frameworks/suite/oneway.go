package suite

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/iperf"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// oneWay is a case of Bulk that no variant makes: iperf3, where it is
// installed, sends what raw TCP does with mode=oneway.
type oneWay struct{ size, parallel int }

func (c oneWay) name() string {
	return fmt.Sprintf("%s/framework=iperf3/mode=oneway/size=%s/parallel=%d/net=none", bulk.benchmark(), formatSize(c.size), c.parallel)
}

// oneWays are the cases beside those of raw TCP on this machine.
func (e *environment) oneWays() (list []oneWay) {
	tcp := slices.ContainsFunc(e.variants, func(v target) bool { return v.Rank == framework.Reference && v.Streams && v.given == "" })
	if !tcp || !slices.ContainsFunc(e.networks, network.direct) || e.host != "" || !iperf.Installed() {
		return nil
	}
	for _, size := range e.bulkSizes {
		for _, parallel := range e.parallels {
			if size > 0 {
				list = append(list, oneWay{size, parallel})
			}
		}
	}
	return list
}

func (c oneWay) measure(b *testing.B) {
	ctx, cancel := context.WithTimeout(b.Context(), env.watchdog+transferTime(b.N*c.size))
	defer cancel()
	r, err := iperf.Run(ctx, c.config(int64(b.N)*int64(c.size)))
	if err != nil {
		b.Fatal(err)
	}
	transfers, seconds := r.Bytes/float64(c.size), r.Elapsed.Seconds()
	loadbench.Report(b,
		loadbench.Metric{Value: float64(r.Elapsed) / transfers, Unit: "ns/op"},
		loadbench.Metric{Value: r.Bytes / seconds / 1e6, Unit: "MB/s"},
		loadbench.Metric{Value: transfers / seconds, Unit: "calls/s"},
		loadbench.Metric{Value: float64(r.ClientCPU) / transfers, Unit: "client-cpu-ns/op"},
		loadbench.Metric{Value: float64(r.ServerCPU) / transfers, Unit: "server-cpu-ns/op"},
		loadbench.Metric{Value: float64(c.parallel), Unit: "conns"},
		loadbench.Metric{Value: 0, Unit: "errors"})
}

// config has each end on the first CPU of its side, since iperf3 runs on one.
func (c oneWay) config(size int64) iperf.Config {
	cfg := iperf.Config{Bytes: size, Write: min(c.size, iperf.MaxWrite), Conns: c.parallel, Pinned: env.pinning.Pinned()}
	if cfg.Pinned {
		cfg.Client, cfg.Server = env.pinning.Client[0], env.pinning.Server[0]
	}
	return cfg
}
