package plan

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestTheEndOfAPattern selects the variant with the fewest keys.
func TestTheEndOfAPattern(t *testing.T) {
	const bulk = "Bulk/framework=apple/mode=a/size=1B/net=none"
	long, short := []string{"Benchmark" + bulk, "Benchmark" + bulk + "/window=1MiB"}, []string{"Benchmark" + bulk}
	for _, c := range []struct {
		about, pattern string
		want           []string
		note           string
	}{
		{"a name goes on", bulk, long, ""},
		{"unless the pattern ends it", bulk + "$", short, "-bench ends in $, which leaves out cases that have more keys: 1"},
		{"at its last key", "Bulk/framework=apple$", long, ""},
		{"and not if it ends otherwise", strings.TrimSuffix(bulk, "net=none") + "(^(net=none)$)", long, ""},
		{"and if there is a name that ends there", "Bulk/apple/a/1B/none/MiB$", long[1:], ""},
		{"which another alternative makes no difference to", bulk + "$|Bulk/apple/.*/.*/.*/window=1MiB", long, ""},
		{"unless it comes first and goes on", bulk + "/window=1MiB|" + bulk, long[1:], "-bench has a longer alternative first, which hides cases of those behind it: 1: put it last"},
	} {
		p, err := planned(t, c.pattern)
		require.NoError(t, err, c.about)
		assert.Equal(t, c.want, p.Names(), c.about)
		assert.Equal(t, c.note, strings.Join(p.Absent(), ""), c.about)
		if c.note != "" {
			assert.Len(t, p.Groups("Bulk")[0], 1, "package testing has no other to run")
		}
	}
	p, err := planned(t, bulk+"/window=1MiB")
	require.NoError(t, err)
	assert.Len(t, p.Groups("Bulk")[0], 1, "package testing would run the case above it without a result")
	p, err = planned(t, "Own", func(o *Options) { o.Binary = []string{"BenchmarkOwn"} })
	require.NoError(t, err)
	assert.Len(t, p.Groups("Bulk")[0], 2, "a function of another name runs them all")
}

// TestPartsOfAPatternThatMatchNothing are noted where others match.
func TestPartsOfAPatternThatMatchNothing(t *testing.T) {
	for _, c := range []struct{ about, pattern, sizes, note string }{
		{"all match", "Ring/framework=(apple|berry)|Bulk", "1B", ""},
		{"an alternative does not", "Ring/framework=apple|Blk/framework=apple", "1B", "-bench=Blk/framework=apple matches no case: there is no benchmark Blk; did you mean Bulk?"},
		{"a value does not", "Ring/^framework=(apple|bery)$/transport=tcp", "1B", "-bench: there is no framework=bery; did you mean framework=berry?"},
		{"what is left out for another reason", "Ring/framework=apple|Bulk/framework=berry/mode=a/size=1KiB", "1B,1KiB", "BenchmarkBulk: mode=a: a payload of 1024 bytes is over the largest of framework=berry/transport=tcp/codec=gob, 100 bytes"},
	} {
		p, err := planned(t, c.pattern, sizes(c.sizes))
		require.NoError(t, err, c.about)
		assert.Equal(t, c.note, strings.Join(p.Absent(), "\n"), c.about)
	}
}

// TestTheSetOfOneCodec has a variant of each framework that sends it, by the
// recommended transport if that does.
func TestTheSetOfOneCodec(t *testing.T) {
	table := []framework.Variant{
		{Keys: framework.Keys{Framework: "apple", Transport: "slow", Codec: "protobuf"}},
		{Keys: framework.Keys{Framework: "apple", Transport: "fast", Codec: "protobuf", Profile: "tuned"}},
		{Keys: framework.Keys{Framework: "apple", Transport: "fast", Codec: "protobuf"}},
		{Keys: framework.Keys{Framework: "apple", Transport: "fast", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "berry", Transport: "slow", Codec: "protobuf"}},
		{Keys: framework.Keys{Framework: "berry", Transport: "fast", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "cherry", Transport: "fast", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "tcp", Transport: "mux", Codec: "none"}, Rank: framework.Reference, Recommended: true},
		{Keys: framework.Keys{Framework: "tcp", Transport: "odd", Codec: "none"}, Rank: framework.Reference},
		{Keys: framework.Keys{Framework: "yours", Transport: "fast", Codec: "json"}, StandIn: true},
	}
	o := NewOptions()
	o.set = "protobuf"
	p, err := New(o, table, rings())
	require.NoError(t, err)
	var ids []string
	for _, v := range p.Targets {
		ids = append(ids, v.ID())
	}
	assert.Equal(t, []string{table[2].ID(), table[4].ID(), table[7].ID()}, ids)
	assert.Equal(t, []string{"-set=protobuf: no variant of these sends it: cherry"}, p.Absent())
	o.Frameworks.Set("cherry")
	_, err = New(o, table, rings())
	assert.EqualError(t, err, "-set=protobuf -framework=cherry: no variant is left to measure")
}

// TestTheSetOfWhatStandsBeside has the variants of one codec, and beside them those
// that differ from one of them in an option, or have a transport without a rank.
func TestTheSetOfWhatStandsBeside(t *testing.T) {
	table := []framework.Variant{
		{Keys: framework.Keys{Framework: "apple", Transport: "fast", Codec: "protobuf", Profile: "nogzip"}, Recommended: true},
		{Keys: framework.Keys{Framework: "apple", Transport: "fast", Codec: "protobuf"}, Rank: framework.Beside},
		{Keys: framework.Keys{Framework: "apple", Transport: "slow", Codec: "protobuf", Profile: "nogzip"}},
		{Keys: framework.Keys{Framework: "apple", Transport: "slow", Codec: "protobuf"}, Rank: framework.Beside},
		{Keys: framework.Keys{Framework: "berry", Transport: "mux", Codec: "protobuf"}, Rank: framework.Beside},
		{Keys: framework.Keys{Framework: "berry", Transport: "mux", Codec: "gob"}, Rank: framework.Beside},
		{Keys: framework.Keys{Framework: "berry", Transport: "pool", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "berry", Transport: "pool", Codec: "protobuf"}},
		{Keys: framework.Keys{Framework: "cherry", Transport: "fast", Codec: "gob"}, Recommended: true},
		{Keys: framework.Keys{Framework: "cherry", Transport: "fast", Codec: "gob", Profile: "tuned"}, Rank: framework.Beside},
		{Keys: framework.Keys{Framework: "tcp", Transport: "mux", Codec: "none"}, Rank: framework.Reference, Recommended: true},
	}
	for _, c := range []struct {
		set    string
		want   []int
		absent []string
	}{
		{"protobuf", []int{0, 7, 10}, []string{"-set=protobuf: no variant of these sends it: cherry"}},
		{"beside", []int{0, 1, 4, 7, 10}, []string{"-set=beside: no variant of these sends it: cherry"}},
		{"protobuf,recommended", []int{0, 6, 7, 8, 10}, nil},
	} {
		o := NewOptions()
		o.set = c.set
		p, err := New(o, table, rings())
		require.NoError(t, err)
		var want, got []string
		for _, i := range c.want {
			want = append(want, table[i].ID())
		}
		for _, v := range p.Targets {
			got = append(got, v.ID())
			assert.Equal(t, v.Rank != framework.Beside, o.StandsFor(v.Variant), v.ID())
		}
		assert.Equal(t, want, got, c.set)
		assert.Equal(t, c.absent, p.Absent())
	}
}

// TestConnections: a case decides, then its variant, then the flag.
func TestConnections(t *testing.T) {
	own := framework.Variant{Keys: framework.Keys{Framework: "apple"}, Connections: framework.Connections{Conns: 2}}
	for _, c := range []struct {
		about string
		v     framework.Variant
		spec  Spec
		want  int
	}{
		{"-conns", framework.Variant{}, Spec{}, 10},
		{"a framework's own advice", own, Spec{}, 2},
		{"a single one is what the case is about", own, Spec{Conns: 1}, 1},
		{"a pool opens one a caller", framework.Variant{Connections: framework.Connections{Sharing: framework.Pooled, Conns: 2}}, Spec{Workers: 100}, 100},
	} {
		got := newCase(rings()[0], NewOptions(), Target{Variant: c.v}, direct(), Cores{}, c.spec)
		assert.Equal(t, c.want, got.Opens(), c.about)
	}
}

// fruit are variants: a common one, one with a small limit, one with a window,
// and one whose servers are the users'.
func fruit() []framework.Variant {
	return []framework.Variant{
		{Keys: framework.Keys{Framework: "apple", Transport: "tcp", Codec: "gob"}, Recommended: true, Connections: framework.Connections{Unix: true}},
		{Keys: framework.Keys{Framework: "berry", Transport: "tcp", Codec: "gob"}, Limits: framework.Limits{MaxMessage: 100}},
		{Keys: framework.Keys{Framework: "apple", Transport: "tcp", Codec: "gob", Window: "1MiB"}},
		{Keys: framework.Keys{Framework: "yours", Transport: "tcp", Codec: "gob"}, StandIn: true},
	}
}

// rings are two benchmarks of one case a size, the second with a mode.
func rings() []*Benchmark {
	sized := func(mode string) func(*Options, Target) []Leaf {
		return func(o *Options, _ Target) (list []Leaf) {
			for _, size := range o.EqualSizes() {
				list = append(list, Spec{Keys: mode + "size=" + FormatSize(size), Workers: 10, Size: size, Workload: "work"})
			}
			return list
		}
	}
	return []*Benchmark{
		{Name: "Ring", Cases: sized("")},
		{Name: "Bulk", NoProxy: "a proxy hides it", NoCores: "it has one CPU", Windowed: true, NamesNet: true, OwnServers: "it wants its own", Cases: sized("mode=a/"), Keys: func(v framework.Variant) string { return "framework=" + v.Framework }},
	}
}

// planned is a plan of them by a pattern, with what was set.
func planned(t *testing.T, pattern string, set ...func(*Options)) (*Plan, error) {
	t.Helper()
	o := NewOptions()
	o.Pattern = pattern
	o.Sizes.Set("1B")
	for _, s := range set {
		s(o)
	}
	return New(o, fruit(), rings())
}

func cores(text string) func(*Options)    { return func(o *Options) { o.Cores.Set(text) } }
func sizes(text string) func(*Options)    { return func(o *Options) { o.Sizes.Set(text) } }
func skips(text string) func(*Options)    { return func(o *Options) { o.Skip = text } }
func networks(text string) func(*Options) { return func(o *Options) { o.Networks.Set(text) } }
func servers(text string) func(*Options)  { return func(o *Options) { o.Servers.Set(text) } }

func TestCases(t *testing.T) {
	for _, c := range []struct {
		about, pattern string
		set            func(*Options)
		want           []string
	}{
		{"by benchmark and by the keys they begin with, a window for those who take it", ".", sizes("1B"), []string{
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B",
			"BenchmarkRing/framework=berry/transport=tcp/codec=gob/size=1B",
			"BenchmarkBulk/framework=apple/mode=a/size=1B/net=none",
			"BenchmarkBulk/framework=apple/mode=a/size=1B/net=none/window=1MiB",
			"BenchmarkBulk/framework=berry/mode=a/size=1B/net=none",
		}},
		{"by a pattern", "Ring/framework=apple", sizes("1B,2B"), []string{
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B",
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=2B",
		}},
		{"without what is skipped", ".", skips("Bulk|Ring/framework=berry"), []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B"}},
		{"of a set", "Ring", func(o *Options) { o.set = "recommended" }, []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B"}},
		{"of frameworks", "Ring", func(o *Options) { o.Frameworks.Set("berry,yours") }, []string{"BenchmarkRing/framework=berry/transport=tcp/codec=gob/size=1B"}},
		{"over networks", "Ring/framework=apple", networks("delay-1ms,none"), []string{
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=delay-1ms",
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B",
		}},
		{"over Unix sockets, of those that have them", "Ring", networks("unix"), []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=unix"}},
		{"through a program", "Ring/framework=apple", networks("proxy-nginx"), []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=proxy-nginx"}},
		{"over a line, what is not measured by way of a proxy as well", "Bulk/framework=apple", networks("proxy-nginx,delay-1ms"), []string{
			"BenchmarkBulk/framework=apple/mode=a/size=1B/net=delay-1ms",
			"BenchmarkBulk/framework=apple/mode=a/size=1B/net=delay-1ms/window=1MiB",
		}},
		{"by cores of the server, those of a network together", "Ring/framework=apple", func(o *Options) {
			o.Networks.Set("none,unix")
			o.Cores.Set("1,2-shared,1")
			o.Compressible = true
		}, []string{
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/cores=1/data=compressible",
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/cores=2-shared/data=compressible",
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=unix/cores=1/data=compressible",
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/net=unix/cores=2-shared/data=compressible",
		}},
		{"shared or not, by a pattern", "Ring/framework=apple/transport=/codec=/size=/cores=2", cores("1,2-shared"), []string{
			"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B/cores=2-shared",
		}},
		{"of a server that is given", ".", func(o *Options) { o.Servers.Set("framework=yours@h:1"); o.peer = "java" }, []string{
			"BenchmarkRing/framework=yours/transport=tcp/codec=gob/size=1B/peer=java",
		}},
		{"of the benchmarks that the binary has", ".", func(o *Options) { o.Binary = []string{"BenchmarkRing"}; o.set = "recommended" }, []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B"}},
	} {
		p, err := planned(t, c.pattern, c.set)
		require.NoError(t, err, c.about)
		assert.NoError(t, p.Empty(), c.about)
		assert.Equal(t, c.want, p.Names(), c.about)
	}
}

func TestWhatIsAbsentIsSaid(t *testing.T) {
	for _, c := range []struct {
		about, pattern string
		set            func(*Options)
		absent         []string
		empty          string
	}{
		{"a message over a limit", "Bulk", sizes("1KiB"), []string{"BenchmarkBulk: mode=a: a payload of 1024 bytes is over the largest of framework=berry/transport=tcp/codec=gob, 100 bytes"}, ""},
		{"a message over a limit of one variant", "Ring", sizes("1KiB"), []string{"BenchmarkRing: size=1KiB: a payload of 1024 bytes is over the largest of framework=berry/transport=tcp/codec=gob, 100 bytes"}, ""},
		{"if nobody else can carry it, nothing is left", "Ring/framework=berry", sizes("1KiB"), []string{"BenchmarkRing: size=1KiB: a payload of 1024 bytes is over the largest of framework=berry/transport=tcp/codec=gob, 100 bytes"}, "nothing is left to measure: BenchmarkRing: size=1KiB: "},
		{"a network that a benchmark does not take", ".", networks("none,proxy-nginx"), []string{"BenchmarkBulk: net=proxy-nginx: a proxy hides it"}, ""},
		{"a benchmark that is not measured by cores", ".", cores("1,2"), []string{"BenchmarkBulk: -cores=1,2: it has one CPU"}, ""},
		{"if it is the only one, nothing is left", "Bulk", cores("1"), []string{"BenchmarkBulk: -cores=1: it has one CPU"}, "nothing is left to measure: BenchmarkBulk: -cores=1: it has one CPU"},
		{"a variant without Unix sockets", "Ring", networks("none,unix"), []string{"net=unix: framework=berry/transport=tcp/codec=gob has no Unix sockets here"}, ""},
		{"if no variant has any, nothing is left", "Ring/framework=berry/transport=/codec=/size=/net=unix", networks("unix"), []string{"net=unix: framework=berry/transport=tcp/codec=gob has no Unix sockets here"}, "nothing is left to measure: net=unix: framework=berry/"},
		{"a server that would have to be ours", "Bulk", servers("framework=yours@h:1"), []string{"Bulk/mode=a of framework=yours/transport=tcp/codec=gob at h:1: it wants its own"}, "nothing is left to measure: Bulk/mode=a of "},
		{"a pattern of nothing", "Ring/framework=cherry", sizes("1B"), nil, "-bench=Ring/framework=cherry matches no case: there is no framework=cherry; did you mean framework=berry?"},
		{"the users' servers alone", "Ring", func(o *Options) { o.Frameworks.Set("yours") }, nil, "is measured with -server alone: its servers are yours"},
		{"what -skip skips is nobody's miss", ".", func(o *Options) { o.Skip = "Bulk"; o.Networks.Set("none,proxy-nginx") }, nil, ""},
		{"if it skips all that is selected, that is an error", "Ring", skips("Ring/framework"), nil, "-bench=Ring -skip=Ring/framework: nothing is left to measure"},
		{"as it is with the package's own", "Own", func(o *Options) { o.Binary, o.Skip = []string{"BenchmarkOwn"}, "Own" }, nil, "-bench=Own -skip=Own: nothing is left to measure"},
		{"a benchmark of the package's own may be meant", "Own", func(o *Options) { o.Binary = []string{"BenchmarkOwn"} }, nil, ""},
	} {
		p, err := planned(t, c.pattern, c.set)
		require.NoError(t, err, c.about)
		assert.Equal(t, c.absent, p.Absent(), c.about)
		if c.empty == "" {
			assert.NoError(t, p.Empty(), c.about)
		} else {
			assert.ErrorContains(t, p.Empty(), c.empty, c.about)
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	for _, c := range []struct {
		about string
		set   func(*Options)
		say   string
	}{
		{"fewer callers than clients", func(o *Options) { o.Clients = 11 }, "10 callers cannot be divided among -clients=11"},
		{"fewer files than connections", func(o *Options) { o.Files = 109 }, "it opens 10 connections, which with others takes 110 files, and a process may open 109"},
		{"a variant that is not there", servers("framework=pear@h:1"), `-server=framework=pear@h:1: "framework=pear" is not the first keys of any variant`},
		{"a server twice", servers("framework=yours@h:1,framework=yours@h:2"), "has a server already"},
		{"a peer without a server", func(o *Options) { o.peer = "java" }, "give both"},
		{"a pattern that is none", func(o *Options) { o.Pattern = "(" }, "-bench: error parsing regexp"},
		{"one to skip that is none", skips("("), "-skip: error parsing regexp"},
	} {
		_, err := planned(t, ".", c.set)
		assert.ErrorContains(t, err, c.say, c.about)
	}
	_, err := New(NewOptions(), append(fruit(), fruit()[0]), rings())
	assert.ErrorContains(t, err, "is there twice")
}

// What cannot be had, or a server cannot do, is found out later.
func TestLeavingOut(t *testing.T) {
	p, err := planned(t, "Ring/framework=apple", networks("none,delay-1ms"))
	require.NoError(t, err)
	require.Len(t, p.Networks(), 1)
	assert.Equal(t, []string{"work"}, p.Workloads())
	p.LeaveOutNetwork(p.Networks()[0], errors.New("no such thing"))
	assert.Len(t, p.Names(), 1)
	assert.Empty(t, p.Networks())
	assert.Equal(t, []string{"net=delay-1ms: no such thing"}, p.Absent())
	assert.Len(t, p.Groups("Ring")[0], 1)

	p, err = planned(t, "Ring", servers("framework=apple/transport=tcp/codec=gob@h:1,framework=berry@h:2"))
	require.NoError(t, err)
	trials := p.Trials(p.Targets[1])
	require.Len(t, trials, 1)
	p.LeaveOutFeature(trials[0].Feature(), errors.New("it\ncannot"))
	assert.Equal(t, []string{"BenchmarkRing/framework=apple/transport=tcp/codec=gob/size=1B"}, p.Names())
	assert.Len(t, p.Groups("Ring"), 1, "nor is it run by a group")
	assert.Equal(t, []string{"Ring of framework=berry/transport=tcp/codec=gob at h:2: it cannot"}, p.Absent())
}

// A function of another name may run the cases of a benchmark.
func TestABenchmarkOfAnotherName(t *testing.T) {
	p, err := planned(t, "Own", func(o *Options) {
		o.Binary = []string{"BenchmarkOwn"}
		o.Sizes.Set("1B,1B,1KiB")
		o.Networks.Set("none,delay-1ms")
	})
	require.NoError(t, err)
	assert.NoError(t, p.Empty())
	assert.Empty(t, p.Selected())
	var names []string
	for _, c := range p.Groups("Bulk")[1] {
		names = append(names, c.Rest)
	}
	assert.Equal(t, []string{"mode=a/size=1B/net=none", "mode=a/size=1B/net=delay-1ms"}, names, "once each, and none that is too large")
	require.Len(t, p.Networks(), 1, "they may be needed")
	p.LeaveOutNetwork(p.Networks()[0], errors.New("no such thing"))
	assert.Len(t, p.Groups("Bulk")[1], 1)
}

func TestACaseByItsName(t *testing.T) {
	p, err := planned(t, "^$", sizes("1B"))
	require.NoError(t, err)
	c, err := p.Case("BenchmarkBulk/framework=apple/mode=a/size=1B/net=none")
	require.NoError(t, err)
	assert.Empty(t, c.Window, "and not one whose name goes on")
	_, err = p.Case("BenchmarkBulk/framework=apple")
	assert.ErrorContains(t, err, "no case")
}

func TestGroupsAreOfAVariant(t *testing.T) {
	p, err := planned(t, "^$", sizes("1B,2B"))
	require.NoError(t, err)
	var groups []string
	for _, b := range []string{"Ring", "Bulk"} {
		for _, g := range p.Groups(b) {
			groups = append(groups, fmt.Sprint(g[0].Base, " ", len(g)))
		}
	}
	assert.Equal(t, "framework=apple/transport=tcp/codec=gob 2, framework=berry/transport=tcp/codec=gob 2, framework=apple 4, framework=berry 2", strings.Join(groups, ", "), "whether or not they are selected")
}

func BenchmarkPlan(b *testing.B) {
	o := NewOptions()
	o.Pattern = "."
	for b.Loop() {
		if _, err := New(o, fruit()[:1], rings()); err != nil {
			b.Fatal(err)
		}
	}
}
