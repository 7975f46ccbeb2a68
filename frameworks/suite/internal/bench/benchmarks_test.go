package bench

import (
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// planned returns the plan of these variants and flags.
func planned(t *testing.T, variants []framework.Variant, args ...string) *plan.Plan {
	t.Helper()
	f := rig.NewFlags(rig.Table{Frameworks: variants, Workloads: []workload.Workload{{Name: "nop"}, {Name: "db", Flag: "db", Default: "sqlite"}}}, All)
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f.Register(fs)
	fs.StringVar(&f.Options.Pattern, "bench", ".", "")
	require.NoError(t, fs.Parse(args))
	require.NoError(t, f.Check())
	p, err := f.Plan()
	require.NoError(t, err)
	return p
}

// keys returns the keys of the selected cases.
func keys(p *plan.Plan) (list []string) {
	for _, c := range p.Selected() {
		list = append(list, c.Rest)
	}
	return list
}

func TestTheSizeOfMessagesIsShown(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a", Profile: "tuned"}, Abilities: framework.Abilities{Streams: true}}
	p := planned(t, []framework.Variant{v}, "-bench=Bulk", "-chunk=1KiB,64KiB", "-bulk=1MiB", "-transfers=2")
	assert.Equal(t, []string{
		"mode=bytes/size=1MiB/parallel=2/net=none/profile=tuned",
		"mode=stream/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB", "mode=stream/size=1MiB/parallel=2/net=none/profile=tuned",
		"mode=stream-new/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB", "mode=stream-new/size=1MiB/parallel=2/net=none/profile=tuned",
	}, keys(p))
}

func TestWindowsAreForStreams(t *testing.T) {
	v := framework.Variant{Keys: framework.Keys{Framework: "a", Window: "16MiB"}, Abilities: framework.Abilities{Streams: true}}
	p := planned(t, []framework.Variant{v}, "-bench=Echo|Stream|Bulk", "-size=1B", "-bulk=1B", "-transfers=1")
	assert.Equal(t, []string{
		"size=1B/conc=100/window=16MiB", "size=1B/conc=100/window=16MiB/mode=oneway",
		"mode=bytes/size=1B/parallel=1/net=none/window=16MiB", "mode=stream/size=1B/parallel=1/net=none/window=16MiB", "mode=stream-new/size=1B/parallel=1/net=none/window=16MiB",
	}, keys(p))
}

func TestWhatBenchmarksTake(t *testing.T) {
	const all = "none delay-1ms rate-1gbit_loss-0.1% proxy-haproxy"
	const lines = "none delay-1ms rate-1gbit_loss-0.1%"
	for name, want := range map[string]string{
		"Echo": all, "Message": all, "Rate": all, "Workload": all, "Cluster": all, "Stream": all, "Bulk": all, "Mix": all,
		"Capacity": lines, "Load": lines, "Conn": lines, "Dial": lines,
		"Stall": "none", "Count": "none", "Idle": "none",
	} {
		var names []string
		p := planned(t, []framework.Variant{{Keys: framework.Keys{Framework: "a"}, Abilities: framework.Abilities{Streams: true}, Recommended: true}}, "-bench=^Benchmark"+name+"$", "-net="+strings.ReplaceAll(all, " ", ","))
		for _, c := range p.Selected() {
			if n := c.Network.Name; len(names) == 0 || names[len(names)-1] != n {
				names = append(names, n)
			}
		}
		assert.Equal(t, want, strings.Join(names, " "), name)
	}
}

func TestOnlyVariantsWithAnActionHaveWorkloads(t *testing.T) {
	variants := []framework.Variant{
		{Keys: framework.Keys{Framework: "reference"}, Abilities: framework.Abilities{Kind: framework.Bare}},
		{Keys: framework.Keys{Framework: "raw"}, Abilities: framework.Abilities{Kind: framework.Bytes}},
		{Keys: framework.Keys{Framework: "full"}},
	}
	p := planned(t, variants, "-bench=Workload", "-conc=1")
	assert.Equal(t, []string{
		"BenchmarkWorkload/framework=full/transport=/codec=/workload=nop/conc=1",
		"BenchmarkWorkload/framework=full/transport=/codec=/workload=db/conc=1",
	}, p.Names())
	assert.Equal(t, []string{"nop", "db"}, p.Workloads())
}

func TestTheWatchdogGivesTransfersTime(t *testing.T) {
	assert.Equal(t, 1024*time.Second, bulkLeafOf(plan.Target{}, 256<<20, 8).Patience)
	assert.Zero(t, bulkLeafOf(plan.Target{}, 64<<10, 8).Patience)
}

func TestAppetite(t *testing.T) {
	for _, c := range []struct {
		about  string
		memory memory
		say    string
	}{
		{"as much as is fair", memory{peak: 17 << 20, idle: 1 << 20, inFlight: 4 << 20}, ""},
		{"more", memory{peak: 21 << 20, idle: 1 << 20, inFlight: 4 << 20}, "5.0 × size × parallel"},
		{"of small transfers it says nothing", memory{peak: 21 << 20, idle: 1 << 20, inFlight: 2 << 20}, ""},
		{"nor where the idle memory is not known", memory{peak: 21 << 20, inFlight: 4 << 20}, ""},
	} {
		said := c.memory.excess()
		if c.say == "" {
			assert.Empty(t, said, c.about)
		} else {
			assert.Contains(t, said, c.say, c.about)
		}
	}
}

// bulkLeafOf is a transfer by one message.
func bulkLeafOf(t plan.Target, size, parallel int) bulkLeaf {
	return new(bulkFlags).leaf(t, way{"bytes", size, parallel, call.DefaultChunk})
}
