package rig

import (
	"context"
	"errors"
	"flag"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// planned returns the plan of these variants and flags.
func planned(t *testing.T, variants []framework.Variant, args ...string) *plan.Plan {
	t.Helper()
	f := NewFlags(Table{Frameworks: variants, Workloads: []framework.Workload{{Name: "nop"}, {Name: "db", Flag: "db", Default: "sqlite"}}}, AllBenchmarks)
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
	v := framework.Variant{Framework: "a", Streams: true, Profile: "tuned"}
	p := planned(t, []framework.Variant{v}, "-bench=Bulk", "-chunk=1KiB", "-bulk=1MiB", "-transfers=2")
	assert.Equal(t, []string{
		"mode=bytes/size=1MiB/parallel=2/net=none/profile=tuned",
		"mode=stream/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB",
		"mode=stream-new/size=1MiB/parallel=2/net=none/profile=tuned/chunk=1KiB",
	}, keys(p))
}

func TestWindowsAreForStreams(t *testing.T) {
	v := framework.Variant{Framework: "a", Streams: true, Window: "16MiB"}
	p := planned(t, []framework.Variant{v}, "-bench=Echo|Stream|Bulk", "-size=1B", "-bulk=1B", "-transfers=1")
	assert.Equal(t, []string{
		"size=1B/conc=100/window=16MiB", "size=1B/conc=100/window=16MiB/mode=oneway",
		"mode=bytes/size=1B/parallel=1/net=none/window=16MiB", "mode=stream/size=1B/parallel=1/net=none/window=16MiB", "mode=stream-new/size=1B/parallel=1/net=none/window=16MiB",
	}, keys(p))
}

func TestWhatBenchmarksTake(t *testing.T) {
	const all = "none delay-1ms rate-1gbit_loss-0.1% proxy-1ms"
	const lines = "none delay-1ms rate-1gbit_loss-0.1%"
	for name, want := range map[string]string{
		"Echo": all, "Message": all, "Rate": all, "Workload": all, "Cluster": all,
		"Capacity": lines, "Load": lines, "Conn": lines, "Stream": lines, "Bulk": lines, "Dial": lines, "Mix": lines,
		"Stall": "none", "Count": "none", "Idle": "none",
	} {
		var names []string
		p := planned(t, []framework.Variant{{Framework: "a", Streams: true, Recommended: true}}, "-bench=^Benchmark"+name+"$", "-net="+strings.ReplaceAll(all, " ", ","))
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
		{Framework: "reference", Kind: framework.Bare},
		{Framework: "raw", Kind: framework.Bytes},
		{Framework: "full"},
	}
	p := planned(t, variants, "-bench=Workload", "-conc=1")
	assert.Equal(t, []string{
		"BenchmarkWorkload/framework=full/transport=/codec=/workload=nop/conc=1",
		"BenchmarkWorkload/framework=full/transport=/codec=/workload=db/conc=1",
	}, p.Names())
	assert.Equal(t, []string{"nop", "db"}, p.Workloads())
}

func TestNamesOfWorkloads(t *testing.T) {
	for _, bad := range []string{"", "a/b", "a=b", "a,b", "a b", "steady"} {
		w := newWorkloads([]framework.Workload{{Name: "steady"}, {Name: bad}})
		assert.ErrorContains(t, w.check(), "Config.Workloads: the name", "%q", bad)
	}
}

func TestTheWatchdogGivesTransfersTime(t *testing.T) {
	assert.Equal(t, 1024*time.Second, bulkLeafOf(plan.Target{}, 256<<20, 8).patience)
	assert.Zero(t, bulkLeafOf(plan.Target{}, 64<<10, 8).patience)
}

func TestErrorsNameTheTransfer(t *testing.T) {
	j := job{
		call:  func(context.Context, int) error { return errors.New("lost") },
		check: func(int) error { return errNotIntact },
	}.named("framework=a", 10)
	assert.EqualError(t, j.call(t.Context(), 0), "framework=a: a transfer of 10 bytes: lost")
	assert.EqualError(t, j.check(0), "framework=a: a transfer of 10 bytes: what came back is not what was sent")
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

func TestObjectives(t *testing.T) {
	for text, want := range map[string]slo{
		"p99-5ms":     {"p99-5ms", .99, 5 * time.Millisecond},
		"p99.9-10ms":  {"p99.9-10ms", .999, 10 * time.Millisecond},
		"p50-1m0.5s":  {"p50-1m0.5s", .5, time.Minute + time.Second/2},
		"99-5ms":      {},
		"p-5ms":       {},
		"p99-0ms":     {},
		"p99--5ms":    {},
		"p99-5":       {},
		"p1e2-5ms":    {},
		"p99-5ms-5ms": {},
		"":            {},
	} {
		got, err := readSLO(text)
		if want == (slo{}) {
			assert.ErrorContains(t, err, "is no objective such as p99-5ms", text)
			continue
		}
		require.NoError(t, err)
		assert.InDelta(t, want.quantile, got.quantile, 1e-9)
		assert.Equal(t, want.name, got.name)
		assert.Equal(t, want.latency, got.latency)
	}
}

func TestAGivenServerSaysWhatItCannotDo(t *testing.T) {
	s := newServer(given{"h:1"})
	assert.ErrorIs(t, s.Pause(), errors.ErrUnsupported)
	assert.ErrorIs(t, s.Resume(), errors.ErrUnsupported)
	assert.NoError(t, s.Err())
	u := newUsage([]*Server{s})
	u.start()
	u.stop()
	assert.Empty(t, u.metrics(1, ""))
	assert.NoError(t, u.unknown(), "it is not ours to read")
}

// A client process finds the case by its whole name, with the parent's flags.
func TestAgentsFindTheirCase(t *testing.T) {
	tuned := framework.Variant{Framework: "a", Transport: "t", Codec: "c", Profile: "tuned"}
	plain := tuned
	plain.Profile = ""
	find := finder(Table{Frameworks: []framework.Variant{tuned, plain}}, AllBenchmarks)
	const name = "BenchmarkEcho/framework=a/transport=t/codec=c/size=3B/conc=7"
	c, err := find(prepareRequest{Case: name, Flags: map[string]string{"size": "3B", "conc": "7"}})
	require.NoError(t, err)
	assert.Empty(t, c.Profile, "the other one's name goes on")
	assert.Equal(t, name, c.Name())
	c, err = find(prepareRequest{Case: name + "/profile=tuned", Flags: map[string]string{"size": "3B", "conc": "7"}})
	require.NoError(t, err)
	assert.Equal(t, "tuned", c.Profile)
	_, err = find(prepareRequest{Case: name})
	assert.ErrorContains(t, err, "no case", "of the default sizes")
}

// An agent obeys only the process that has started it.
func TestAgentsTakeNoOrdersOfOthers(t *testing.T) {
	a, err := newAgent(finder(Table{}, AllBenchmarks))
	require.NoError(t, err)
	defer a.Close()
	for _, path := range []string{"/prepare", "/run"} {
		response, err := http.Post("http://"+a.Addr()+path, "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		response.Body.Close()
		assert.Equal(t, http.StatusForbidden, response.StatusCode)
	}
}

// bulkLeafOf is a transfer by one message.
func bulkLeafOf(t plan.Target, size, parallel int) bulkLeaf {
	f := &bulkFlags{chunk: plan.NewList(plan.FormatSize(defaultChunk), plan.ParseSize)}
	return f.leaf(t, "bytes", size, parallel)
}
