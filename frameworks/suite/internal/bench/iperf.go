package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/iperf"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// iperfLeaf is a case of Bulk that no variant makes: iperf3 sends what raw TCP does with
// mode=oneway.
type iperfLeaf struct{ plan.Spec }

// iperfCases are the cases beside those of raw TCP on this machine, over loopback and over
// lines. Where iperf3 is not installed, they say so.
func (f *bulkFlags) iperfCases(s *rig.Settings, n plan.Network, all []plan.Target) (list []plan.Leaf) {
	tcp := slices.ContainsFunc(all, func(t plan.Target) bool { return legend.TransfersBytes(t.Variant) && t.Given == "" })
	if !tcp || !n.Direct() && !n.Linked() || s.Machines.Host != "" {
		return nil
	}
	lacks := ""
	if !iperf.Installed() {
		lacks = "framework=iperf3: iperf3 is not installed"
	}
	for _, size := range f.sizes.Values {
		for _, parallel := range f.parallels.Values {
			if size > 0 {
				keys := fmt.Sprintf("mode=oneway/size=%s/parallel=%d", plan.FormatSize(size), parallel)
				list = append(list, iperfLeaf{plan.Spec{Keys: keys, Lacks: lacks, Workers: parallel, Size: size, Conns: parallel, OwnData: true, Endless: true, Cost: plan.Cost{Overlaps: true}}})
			}
		}
	}
	return list
}

var _ rig.Measurer = iperfLeaf{}

// Measure implements rig.Measurer.
func (l iperfLeaf) Measure(r *rig.Round) error {
	ctx, cancel := context.WithTimeout(r.Bench.Context(), r.Rig.Load.Watchdog+call.TransferTime(r.N*l.Size))
	defer cancel()
	got, err := iperf.Run(ctx, l.config(r, int64(r.N)*int64(l.Size)))
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

// warm is how long iperf3 sends over a line before it counts, because the connections of raw TCP
// beside it are not new either: 20 round trips of 100 ms.
const warm = 2 * time.Second

// config has the server at the far end of the network's line if it has one, and each end on
// the first CPU of its side, since iperf3 runs on one.
func (l iperfLeaf) config(r *rig.Round, bytes int64) iperf.Config {
	pinning := r.Rig.Placement.Pinning
	cfg := iperf.Config{Bytes: bytes, Write: min(l.Size, iperf.MaxWrite), Conns: l.Conns, Pinned: pinning.Pinned()}
	if cfg.Pinned {
		cfg.Client, cfg.Server = pinning.Client[0], pinning.Server[0]
	}
	if far := r.Rig.Networks.Links[r.Network.Name]; far != nil {
		cfg.IP, cfg.Inside, cfg.Omit = far.FarIP(), far.Inside, warm
	}
	return cfg
}
