package bench

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/resident"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ledger"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

// bulkFlags are the flags of Bulk.
type bulkFlags struct {
	sizes, parallels, chunks plan.List[int]
	idle                     map[*rig.Testbed]int64 // resident bytes of this process before the load was made
}

// bulk is a closed loop of transfers.
func bulk(s *rig.Settings) *plan.Benchmark {
	f := &bulkFlags{
		sizes:     plan.NewList("256B,64KiB,4MiB,45MiB", plan.ParseSize),
		parallels: plan.NewList("1,2,4,8", value.Positive),
		chunks:    plan.NewList(plan.FormatSize(call.DefaultChunk), plan.ParseSize),
		idle:      map[*rig.Testbed]int64{},
	}
	return &plan.Benchmark{
		Name: "Bulk", Windowed: true, NamesNet: true, NoCores: "iperf3, which is measured beside it, has one CPU",
		Flags: f.register,
		Lists: map[string]string{"size": "bulk", "parallel": "transfers"},
		Check: f.check,
		Keys:  func(v framework.Variant) string { return "framework=" + v.Framework },
		Cases: f.cases,
		Beside: func(n plan.Network, all []plan.Target) (plan.Target, []plan.Leaf) {
			return plan.Target{Variant: legend.Iperf()}, f.iperfCases(s, n, all)
		},
	}
}

func (f *bulkFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.sizes, "bulk", "`sizes` of the transfers of Bulk")
	fs.Var(&f.parallels, "transfers", "`numbers` of transfers of Bulk at once")
	fs.Var(&f.chunks, "chunk", "`sizes` of the messages that Bulk cuts a transfer by stream into")
}

func (f *bulkFlags) check([]plan.Target) error {
	if slices.Contains(f.chunks.Values, 0) {
		return fmt.Errorf("-chunk=%s: must be sizes more than 0, as in 64KiB", &f.chunks)
	}
	return nil
}

func (f *bulkFlags) cases(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	for _, mode := range bulkModesOf(t.Variant, o.StandsFor(t.Variant)) {
		for _, size := range f.sizes.Values {
			for _, parallel := range f.parallels.Values {
				for _, chunk := range f.chunksOf(mode) {
					list = append(list, f.leaf(t, way{mode, size, parallel, chunk}))
				}
			}
		}
	}
	return list
}

// chunksOf are the sizes of the messages of a mode: one message has a transfer's.
func (f *bulkFlags) chunksOf(mode string) []int {
	if streamed(mode) {
		return f.chunks.Values
	}
	return []int{call.DefaultChunk}
}

// streamed reports whether a mode cuts a transfer into messages.
func streamed(mode string) bool { return mode != "bytes" && mode != "attachment" }

// way is how a transfer is made, and how many are made at once.
type way struct {
	mode                  string
	size, parallel, chunk int
}

// bulkLeaf is a way to transfer. compared holds the keys that two ways must share to
// be compared; "" if this one is not compared.
type bulkLeaf struct {
	call.Leaf
	flags    *bulkFlags
	way      way
	compared string
}

func (f *bulkFlags) leaf(t plan.Target, w way) bulkLeaf {
	l := bulkLeaf{Leaf: call.EchoLeaf(w.parallel, w.size), flags: f, way: w}
	l.compared = fmt.Sprintf("size=%s/parallel=%d", plan.FormatSize(w.size), w.parallel)
	l.Keys = "mode=" + w.mode + "/" + l.compared
	l.Patience, l.NoRetry = call.TransferTime(w.size*w.parallel), "a transfer is made once"
	if w.mode == "oneway" {
		l.compared = ""
	}
	if streamed(w.mode) {
		l.Largest, l.Overlaps, l.Streamed = w.chunk, true, true
		l.Endless = w.mode != "stream-new" // the others' streams stay open
		if w.chunk != call.DefaultChunk {
			l.Optional = "/chunk=" + plan.FormatSize(w.chunk)
		}
	}
	l.Prepare = func(ctx context.Context, c framework.Client, q call.Requests) (call.Job, error) {
		q.Chunk = w.chunk
		j, err := call.PrepareTransfer(w.mode)(ctx, c, q)
		return j.Named(t.ID(), q.Size), err
	}
	return l
}

var _ rig.Measurer = bulkLeaf{}

// Measure also reads the peak memory of both sides, and enters the throughput into
// the ledger, which compares the frameworks.
func (l bulkLeaf) Measure(r *rig.Round) error {
	if err := r.ReadyAfter(func() { l.flags.idle[r.Testbed] = resident.Idle() }); err != nil {
		return err
	}
	use := memory{idle: l.flags.idle[r.Testbed], inFlight: int64(r.Workers * r.Size)}
	cfg := r.Config()
	use.during(&cfg, r.Running[0].Meter)
	m, err := r.Run(cfg)
	if m.Result != nil {
		m.More = append(m.More, use.metrics(r.Probe.Usage)...)
		m.Doubts = append(m.Doubts, use.doubts()...)
	}
	if err := r.Report(m, err); err != nil {
		return err
	}
	r.Rig.Ledger.TookMemory(r.Bench.Name(), use.excess())
	if l.compared != "" {
		r.Rig.Ledger.Share(ledger.Throughput{
			Kind: l.compared + "/net=" + r.Network.Name + r.ComparedWindow(), Framework: r.Framework, Mode: "mode=" + l.way.mode + r.OptionalKeys(),
			Reference: r.Rank == framework.Reference, Rate: float64(m.OK) * float64(r.Size) / m.Elapsed.Seconds(),
		})
	}
	return nil
}

// bulkModesOf returns the modes of Bulk that a variant supports. stands says that
// the variant is the one that stands for its framework.
func bulkModesOf(v framework.Variant, stands bool) (modes []string) {
	switch {
	case v.Kind == framework.Bytes:
		modes = append(modes, "attachment")
	case v.Window != "" && v.Windows != nil && v.Windows.OfStreams:
	case stands || v.Profile != "" || v.Window != "":
		modes = append(modes, "bytes")
	}
	if v.Streams && v.Kind != framework.Bytes {
		modes = append(modes, "stream", "stream-new")
	}
	if v.Streams && v.Kind == framework.Bare {
		modes = append(modes, "oneway")
	}
	return modes
}
