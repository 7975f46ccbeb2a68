package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/iperf"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// iperfLeaf is a case of Bulk that no variant makes: iperf3, where it is
// installed, sends what raw TCP does with mode=oneway.
type iperfLeaf struct{ plan.Spec }

// iperfCases are the cases beside those of raw TCP on this machine.
func iperfCases(sizes, parallels []int, s *rig.Settings, o *plan.Options, all []plan.Target) (t plan.Target, list []plan.Leaf) {
	t.Variant = legend.Iperf()
	tcp := slices.ContainsFunc(all, func(t plan.Target) bool { return legend.TransfersBytes(t.Variant) && t.Given == "" })
	if !tcp || !o.AnyNetwork(plan.Network.Direct) || s.Machines.Host != "" || !iperf.Installed() {
		return t, nil
	}
	for _, size := range sizes {
		for _, parallel := range parallels {
			if size > 0 {
				keys := fmt.Sprintf("mode=oneway/size=%s/parallel=%d", plan.FormatSize(size), parallel)
				list = append(list, iperfLeaf{plan.Spec{Keys: keys, Workers: parallel, Size: size, Conns: parallel, OwnData: true, Endless: true}})
			}
		}
	}
	return t, list
}

var _ rig.Measurer = iperfLeaf{}

// Measure implements rig.Measurer.
func (l iperfLeaf) Measure(r *rig.Round) error {
	ctx, cancel := context.WithTimeout(r.Bench.Context(), r.Rig.Load.Watchdog+call.TransferTime(r.N*l.Size))
	defer cancel()
	got, err := iperf.Run(ctx, l.config(r.Rig.Settings, int64(r.N)*int64(l.Size)))
	if err != nil {
		return err
	}
	transfers, seconds := got.Bytes/float64(l.Size), got.Elapsed.Seconds()
	loadbench.Report(r.Bench,
		loadbench.Metric{Value: float64(got.Elapsed) / transfers, Unit: "ns/op"},
		loadbench.Metric{Value: got.Bytes / seconds / 1e6, Unit: "MB/s"},
		loadbench.Metric{Value: transfers / seconds, Unit: "calls/s"},
		loadbench.Metric{Value: float64(got.ClientCPU) / transfers, Unit: "client-cpu-ns/op"},
		loadbench.Metric{Value: float64(got.ServerCPU) / transfers, Unit: "server-cpu-ns/op"},
		loadbench.Metric{Value: float64(l.Conns), Unit: "conns"},
		loadbench.Metric{Value: 0, Unit: "errors"})
	return nil
}

// config has each end on the first CPU of its side, since iperf3 runs on one.
func (l iperfLeaf) config(s *rig.Settings, bytes int64) iperf.Config {
	cfg := iperf.Config{Bytes: bytes, Write: min(l.Size, iperf.MaxWrite), Conns: l.Conns, Pinned: s.Placement.Pinning.Pinned()}
	if cfg.Pinned {
		cfg.Client, cfg.Server = s.Placement.Pinning.Client[0], s.Placement.Pinning.Server[0]
	}
	return cfg
}
