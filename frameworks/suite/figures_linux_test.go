package suite

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/race"
)

// columns are the figures of a line by their units. The number of calls is that of "".
type columns map[string]float64

func columnsOf(t *testing.T, line string) columns {
	fields := slices.Insert(strings.Fields(line)[1:], 1, "") // of the number of calls
	c := columns{}
	for pair := range slices.Chunk(fields, 2) {
		value, err := strconv.ParseFloat(pair[0], 64)
		require.NoError(t, err, line)
		c[pair[1]] = value
	}
	return c
}

// costUnits are the units of -detail's pass of counts. Rows name those that they know.
var costUnits = map[string]bool{
	"request-wire-B/op": true, "reply-wire-B/op": true, "segs/op": true,
	"client-syscalls/op": true, "server-syscalls/op": true, "client-other-syscalls/op": true, "server-other-syscalls/op": true,
	"client-switches/op": true, "server-switches/op": true,
}

// bounds are the least and the most that a figure may be.
type bounds struct{ least, most float64 }

// figures are the bounds of each unit of a line.
type figures map[string]bounds

// and adds figures, or replaces them.
func (f figures) and(more ...figures) figures {
	f = maps.Clone(f)
	for _, m := range more {
		maps.Copy(f, m)
	}
	return f
}

func exactly(v float64) bounds { return bounds{v, v} }

// about allows a share of v on both sides.
func about(v, share float64) bounds { return bounds{v * (1 - share), v * (1 + share)} }

func atLeast(v float64) bounds { return bounds{v, 1e18} }

func ms(n float64) float64 { return n * 1e6 }

// wrong are the figures of a line that are not within their bounds, or have none, by
// their units.
func wrong(line string, got columns, want figures) (list map[string]string) {
	list = map[string]string{}
	for unit := range got {
		if _, known := want[unit]; !known && !costUnits[unit] {
			list[unit] = fmt.Sprintf("%s: no figure without bounds: %s", unit, line)
		}
	}
	for unit, b := range want {
		v, printed := got[unit]
		if !printed || v < b.least || v > b.most {
			list[unit] = fmt.Sprintf("%v %s: want %v to %v: %s", v, unit, b.least, b.most, line)
		}
	}
	return list
}

// spent are the figures of what a spender takes for a call. Sockets and the load generator
// take some CPU time beside it, and the histograms of a run some memory of the client.
func spent(client, server cost) figures {
	bytesPerCall := func(c cost, more float64) bounds {
		b := float64(c.objects * c.size)
		return bounds{b, b + more}
	}
	objects := func(c cost) bounds { return bounds{float64(c.objects), float64(c.objects) + .99} }
	return figures{
		"client-cpu-ns/op": cpu(client), "server-cpu-ns/op": cpu(server),
		"B/op": bytesPerCall(client, 3000), "server-B/op": bytesPerCall(server, 200),
		"allocs/op": objects(client), "server-allocs/op": objects(server),
	}
}

// cpu allows for less than twice what is spent, and for clocks that count in hundredths
// of a second. Of no cost it only says that calls take some.
func cpu(c cost) bounds {
	if c.cpu == 0 {
		return bounds{500, ms(1)}
	}
	return bounds{float64(c.cpu) * .95, float64(c.cpu) * 1.8}
}

// loop are the figures of a closed loop of callers, none of whose calls fails: they follow
// from each other by Little's law. The run took no longer than took, and a call least.
func loop(c columns, callers float64, least, took time.Duration) figures {
	return figures{
		"":        exactly(c[""]),
		"calls/s": {(c[""] - c["errors"]) / took.Seconds(), callers / least.Seconds()},
		"ns/op":   about(1e9/c["calls/s"], .02),
		"mean-ns": {.8 * callers * 1e9 / c["calls/s"], 1.02 * callers * 1e9 / c["calls/s"]},
		"errors":  exactly(0),
	}.and(ranks(c, least), busy(c))
}

// ranks are what is true of all distributions whose least is known.
func ranks(c columns, least time.Duration) figures {
	return figures{
		"min-ns": {.999 * float64(least), 1.01 * c["p50-ns"]},
		"p50-ns": {float64(least), 2 * c["mean-ns"]},
		"p99-ns": {c["p50-ns"], 100 * c["mean-ns"]},
		"max-ns": atLeast(.98 * c["p99-ns"]), // a percentile is the middle of a bucket
	}
}

// busy follows from the CPU time of a call. All runs here have one proc a side, or print
// how many.
func busy(c columns) figures {
	share := func(side string) bounds {
		sent := c["calls/s"] // a second, failed ones included
		if c["errors"] > 0 {
			sent *= c[""] / (c[""] - c["errors"])
		}
		return about(100*c[side+"-cpu-ns/op"]*sent/1e9/c[side+"-procs"], .03)
	}
	f := figures{
		"client-busy-%": share("client"), "server-busy-%": share("server"),
		"client-rss-B": {4 << 20, 1 << 30}, "server-rss-B": {4 << 20, 1 << 30},
	}
	for _, unit := range []string{"softirq-%", "softirq-outside-%", "other-busy-%", "stolen-%"} {
		if _, told := c[unit]; told { // not in a short run, nor outside where there is no CPU
			f[unit] = bounds{0, math.Inf(1)} // that of other processes counts
		}
	}
	return f
}

// open are the figures of an open loop. Waiting for the time of the next call also takes
// CPU time of the client.
func open(c columns, least time.Duration, client, server cost) figures {
	all := 1e9 / c["calls/s"] * c["client-procs"]
	return spent(client, server).and(figures{
		"client-cpu-ns/op": {cpu(client).least, 1.05 * all},
		"":                 exactly(c[""]),
		"dropped":          exactly(0),
		"errors":           exactly(0),
		"mean-ns":          {c["p50-ns"] / 2, c["max-ns"]},
		"lag-p99-ns":       {1, 1.02 * c["p99-ns"]},
		"service-p99-ns":   {float64(least), 1.02 * c["p99-ns"]},
	}, ranks(c, least), busy(c))
}

func conns(n float64) figures { return figures{"conns": exactly(n)} }

// row is a line and what its figures must be.
type row struct {
	line string // how it begins
	want func(c columns, took time.Duration) figures
}

// assertRows runs benchmarks in another process, and wants these lines and no others. It
// runs them again if nothing was wrong but times and what follows from them: a collector
// that comes late leaves a higher peak, and calls that come late are dropped or fail. A
// fault is there each time.
func assertRows(t *testing.T, env []string, code int, rows []row, args ...string) (stderr string) {
	t.Helper()
	for range 3 {
		var all map[string]string
		if all, stderr = wrongOf(t, env, code, rows, args...); len(all) == 0 {
			return stderr
		}
		for unit, text := range all {
			assert.Regexp(t, `-ns$|ns/op$|calls/s$|offered/s$|MB/s$|(idle|peak)-B$|^(dropped|errors|exit code)$`, unit, text)
			t.Log(text)
		}
		if t.Failed() {
			return stderr
		}
	}
	assert.Fail(t, "figures were wrong in each of three runs")
	return stderr
}

func wrongOf(t *testing.T, env []string, code int, rows []row, args ...string) (all map[string]string, stderr string) {
	begin := time.Now()
	out, stderr, got := selfIn(t, env, append([]string{"-test.run=^$", "-detail", "-arrivals=constant", "-conns=7"}, args...)...)
	took := time.Since(begin)
	lines := resultLines(out)
	require.Len(t, lines, len(rows), out+stderr)
	all = map[string]string{}
	if got != code { // calls may fail that wait for more than 20 s
		all["exit code"] = stderr
	}
	for i, r := range rows {
		require.Contains(t, lines[i], r.line)
		c := columnsOf(t, lines[i])
		printed := maps.Clone(c)
		for _, key := range []string{"client-procs", "server-procs"} {
			c[key] = setting(t, out, key)
		}
		maps.Copy(all, wrong(lines[i], printed, r.want(c, took)))
	}
	if uncounted.MatchString(stderr) {
		t.Log("this system lets no process trace another: system calls are not counted")
		maps.DeleteFunc(all, func(unit, _ string) bool { return strings.HasSuffix(unit, "-syscalls/op") })
	}
	return all, stderr
}

// uncounted is what a run says of system calls that it could not count.
var uncounted = regexp.MustCompile(`# no figures: .*-syscalls/op: .*ptrace: operation not permitted`)

// TestTheLimitIsTold of a run that is long enough: by how busy its line says that each side was.
func TestTheLimitIsTold(t *testing.T) {
	out, errOut, code := self(t, "-test.run=^$", "-test.bench=Echo", "-test.benchtime=0.3s", "-framework=tiny", "-references=false", "-size=64B", "-conc=100")
	require.Zero(t, code, errOut)
	lines := resultLines(out)
	require.Len(t, lines, 1)
	limit := regexp.MustCompile(`(?m)^# limit: (.*) in BenchmarkEcho/framework=tiny\S+$`).FindStringSubmatch(errOut)
	if strings.Contains(out, "\npin: off") {
		assert.Nil(t, limit, "the sides share their CPUs")
		return
	}
	require.NotNil(t, limit, errOut)
	c := columnsOf(t, lines[0])
	assert.Equal(t, map[[2]bool]string{
		{true, true}: "both sides", {true, false}: "the client", {false, true}: "the server", {}: "neither side",
	}[[2]bool{c["client-busy-%"] >= 90, c["server-busy-%"] >= 90}], limit[1], lines[0])
}

// setting is a number that the run printed before its lines.
func setting(t *testing.T, out, key string) float64 {
	found := regexp.MustCompile(`(?m)^` + key + `: (\d+)$`).FindStringSubmatch(out)
	require.NotNil(t, found, key)
	n, err := strconv.ParseFloat(found[1], 64)
	require.NoError(t, err)
	return n
}

// alone has a test measure while nothing heavy of another package runs beside. The race
// detector multiplies what code costs, and what is measured runs in other processes, whose
// code other tests here run under it.
func alone(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("the race detector multiplies what code costs")
	}
	if testing.Short() {
		t.Skip("it measures for seconds, alone")
	}
	t.Cleanup(claimMachine(t))
}

// TestFiguresOfWhatIsSpent has the lines of all benchmarks of calls.
// Slow: eleven lines of a thousand calls, each with a pass of counts.
func TestFiguresOfWhatIsSpent(t *testing.T) {
	alone(t)
	s := spendersByName()["spend"]
	each := s.client.cpu + s.server.cpu
	closed := func(open float64, more ...figures) func(columns, time.Duration) figures {
		return func(c columns, took time.Duration) figures {
			return loop(c, 2, each, took).and(spent(s.client, s.server), conns(open)).and(more...)
		}
	}
	recv := float64(s.client.objects*s.client.size + 1<<10) // a stream has fresh memory for each message
	for bench, rows := range map[string][]row{
		"Echo":    {{"BenchmarkEcho/framework=spend/", closed(3, ofACall(2))}},
		"Message": {{"BenchmarkMessage/framework=spend/", closed(3, figures{"allocs/op": {8, 8.99}})}},
		"Rate": {{"BenchmarkRate/framework=spend/", func(c columns, _ time.Duration) figures {
			return open(c, each, s.client, s.server).and(conns(3), figures{
				"calls/s": {.97 * c[""] / (c[""]/500 + c["max-ns"]/1e9), 515}, // the last call ends max after it was due at most
			})
		}}},
		"Conn": {
			{"/conn=single/call=sync/", closed(1)},
			{"/conn=single/call=async/", closed(1, figures{"allocs/op": {8, 10}})},
			{"/conn=fixed/call=sync/", closed(3)},
			{"/conn=fixed/call=async/", closed(3, figures{"allocs/op": {8, 10}})},
		},
		"Cluster": {{"BenchmarkCluster/framework=spend/", closed(2 * 3)}},
		"Stream": {
			{"/size=1KiB/conc=2 ", closed(3+2, figures{"allocs/op": {8, 8.99}, "B/op": {recv, recv + 3000}})},
			{"/size=1KiB/conc=2/mode=oneway ", func(c columns, took time.Duration) figures {
				acks := 1. / 32 // messages of the server, and more messages to it
				server := s.server
				least := time.Duration(float64(server.cpu) / 2 * .9) // both streams fill the server, and the messages on the way are not waited for
				arrive := 1 - 2*31/c[""]                             // at least, of all messages
				return loop(c, 2, least, took).and(spent(cost{}, server), conns(3+2), figures{
					"min-ns":    {100, 1.01 * c["p50-ns"]},
					"p50-ns":    {100, ms(1000)},
					"p99-ns":    {100, ms(1000)},
					"allocs/op": {0, 1}, // a quarter, which testing rounds down

					"server-B/op":      {float64(server.objects*server.size) * arrive, float64(server.objects*server.size) + 200},
					"server-allocs/op": {11 * (1 + acks) * arrive, 11*(1+acks) + 1},
				})
			}},
		},
		"Workload": {{"BenchmarkWorkload/framework=spend/", closed(3)}},
	} {
		assertRows(t, tenRounds, 0, rows, "-test.bench="+bench, "-test.benchtime=1000x", "-framework=spend", "-size=1KiB", "-conc=2",
			"-rate=500", "-workers=20", "-workload=steady", "-servers=2")
	}
}

// ofACall are the counts of a call of Echo of 1 KiB that takes n system calls on
// each side: a head of six bytes and the action come before the payload.
func ofACall(n float64) figures {
	const message = 6 + len(handler.ActionEcho) + 1<<10
	return figures{
		"request-wire-B/op": exactly(float64(message)), "reply-wire-B/op": exactly(float64(message)), "segs/op": exactly(2),
		"client-syscalls/op": exactly(n), "server-syscalls/op": exactly(n),
		"client-other-syscalls/op": atLeast(.01), "server-other-syscalls/op": atLeast(.01),
		"client-switches/op": atLeast(.01), "server-switches/op": atLeast(.01),
	}
}

// TestFiguresOfCounts has no time in its line. Both sides reuse their memory, but for what
// they spend.
func TestFiguresOfCounts(t *testing.T) {
	alone(t)
	var rows []row
	for _, name := range []string{"spend", "hold"} {
		s := spendersByName()[name]
		rows = append(rows, row{"BenchmarkCount/framework=" + name + "/", func(c columns, _ time.Duration) figures {
			objects := func(c cost) bounds { return bounds{float64(c.objects), float64(c.objects) + .3} }
			bytes := func(c cost) bounds { return bounds{float64(c.objects * c.size), float64(c.objects*c.size) + 100} }
			return ofACall(2).and(conns(c["conns"]), figures{
				"": exactly(c[""]), "errors": exactly(0),
				"client-allocs/op": objects(s.client), "server-allocs/op": objects(s.server),
				"client-B/op": bytes(s.client), "server-B/op": bytes(s.server),
			})
		}})
	}
	assertRows(t, nil, 0, rows, "-test.bench=Count", "-test.benchtime=1x", "-framework=spend,hold", "-size=1KiB")
}

// TestFiguresOfSeveralClients has the processes' own connections divided.
func TestFiguresOfSeveralClients(t *testing.T) {
	alone(t)
	s := spendersByName()["spend"]
	assertRows(t, tenRounds, 0, []row{{"BenchmarkEcho/framework=spend/", func(c columns, took time.Duration) figures {
		kept := float64(s.client.objects * s.client.size)
		return loop(c, 2, s.client.cpu+s.server.cpu, took).and(spent(s.client, s.server), conns(2), figures{
			"B/op": {kept, kept + 15_000}, "allocs/op": {7, 12}, // two clients' histograms, and the JSON of them
		})
	}}}, "-test.bench=Echo", "-test.benchtime=1000x", "-framework=spend", "-size=1KiB", "-conc=2", "-clients=2")
}

func TestFiguresOfADistribution(t *testing.T) {
	alone(t)
	assertRows(t, tenRounds, 0, []row{{"BenchmarkEcho/framework=nap/", func(c columns, took time.Duration) figures {
		const mean = .97*1 + .027*60 + .003*200
		return loop(c, 100, time.Millisecond, took).and(spent(cost{}, cost{}), conns(100), figures{
			"mean-ns":  {max(ms(mean), .5*100e9/c["calls/s"]), 1.02 * 100e9 / c["calls/s"]},
			"p50-ns":   {ms(1), ms(55)},
			"p99-ns":   {ms(59), ms(195)},
			"p99.9-ns": {ms(195), 1.02 * c["max-ns"]},
			"max-ns":   {ms(200), float64(took)},
		})
	}}}, "-test.bench=Echo", "-test.benchtime=10000x", "-framework=nap", "-size=1KiB", "-conc=100", "-conns=99")
}

// TestFiguresOfTooHighARate has a server that answers 500 calls a second be offered 1000
// by a caller: the call n is sent n ms late.
// Slow: calls are a second late at the end.
func TestFiguresOfTooHighARate(t *testing.T) {
	alone(t)
	assertRows(t, tenRounds, 0, []row{{"BenchmarkRate/framework=pace/", func(c columns, took time.Duration) figures {
		return open(c, 0, cost{}, cost{}).and(conns(8), figures{
			"calls/s":        {1000 / took.Seconds(), 505},
			"p50-ns":         {ms(450), float64(took)},
			"mean-ns":        {ms(450), float64(took)},
			"lag-p99-ns":     {ms(950), 1.02 * c["p99-ns"]},
			"p99-ns":         {ms(950), float64(took)},
			"max-ns":         {ms(990), float64(took)},
			"service-p99-ns": {ms(2), c["lag-p99-ns"] / 2},
		})
	}}}, "-test.bench=Rate", "-test.benchtime=1000x", "-framework=pace", "-size=1KiB", "-rate=1000", "-workers=1")
}

func TestFiguresOfFailedCalls(t *testing.T) {
	alone(t)
	stderr := assertRows(t, tenRounds, 1, []row{{"BenchmarkEcho/framework=fail/", func(c columns, took time.Duration) figures {
		return loop(c, 2, time.Microsecond, took).and(spent(cost{}, cost{}), conns(8), figures{
			"errors":    {99, 101},
			"ns/op":     about(1e9/c["calls/s"]*.9, .02),
			"mean-ns":   {.8 * 2 * .9e9 / c["calls/s"], 1.02 * 2 * .9e9 / c["calls/s"]},
			"allocs/op": {0, 2},
		})
	}}}, "-test.bench=Echo", "-test.benchtime=1000x", "-framework=fail", "-size=1KiB", "-conc=2")
	assert.Regexp(t, `# failed calls: BenchmarkEcho/framework=fail/\S+: (99|100|101) × spender: asked to fail\n`, stderr)
}

// Slow: five thousand calls are measured up to three times.
func TestFiguresOfFlips(t *testing.T) {
	alone(t)
	s := spendersByName()["hold"]
	assertRows(t, tenRounds, 1, []row{{"BenchmarkEcho/framework=hold/", func(c columns, took time.Duration) figures {
		good := 1 - c["errors"]/c[""]
		return loop(c, 2, time.Microsecond, took).and(spent(s.client, s.server), conns(14), figures{
			"flips":     {1700, 2300}, // of half of the 4,000 calls after the first thousand
			"errors":    about(c["flips"], .001),
			"ns/op":     about(1e9/c["calls/s"]*good, .02),
			"mean-ns":   {.8 * 2e9 * good / c["calls/s"], 1.02 * 2e9 * good / c["calls/s"]},
			"allocs/op": {5, 7}, // errors
		})
	}}}, "-test.bench=Echo", "-test.benchtime=5000x", "-framework=hold", "-size=1KiB", "-conc=2", "-fault=flip")
}

// TestFiguresOfTransfers has a hundred transfers of a mebibyte in each of the modes.
// Slow: what it knows of memory is that of processes that hold and free hundreds of mebibytes.
func TestFiguresOfTransfers(t *testing.T) {
	t.Parallel()
	alone(t)
	s := spendersByName()["hold"]
	const size, calls = 1 << 20, 100
	chunks := cost{objects: 16 * s.client.objects, size: s.client.size}
	transfer := func(open float64, client, server cost, more figures) func(columns, time.Duration) figures {
		return func(c columns, took time.Duration) figures {
			f := loop(c, 2, time.Microsecond, took).and(spent(client, server), conns(open), figures{
				"MB/s":             about(c["calls/s"]*size/1e6, .02),
				"client-cpu-ns/op": {ms(.05), ms(20)}, "server-cpu-ns/op": {ms(.05), ms(20)},
				"client-idle-B": {4 << 20, 64 << 20},
				"client-peak-B": {c["client-idle-B"] + float64(s.client.holds), c["client-idle-B"] + 2.5*float64(s.client.holds)},
				"server-peak-B": {float64(s.server.holds), 1.8 * float64(s.server.holds)},
				"client-rss-B":  {4 << 20, 1.05 * c["client-peak-B"]}, "server-rss-B": {4 << 20, 1.05 * c["server-peak-B"]},
			}, more)
			delete(f, "p99-ns")
			f["max-ns"] = atLeast(.98 * c["p50-ns"])
			return f
		}
	}
	chunked := cost{objects: 16 * s.server.objects, size: s.server.size}
	assertRows(t, nil, 0, []row{
		{"/mode=bytes/", transfer(14, s.client, s.server, figures{"B/op": {0, 50_000}, "server-B/op": {0, 50_000}, "allocs/op": {5, 7}, "server-allocs/op": {9, 11}})},
		{"/mode=stream/", transfer(14+2, chunks, chunked, figures{"B/op": {size, size + 50_000}, "allocs/op": {float64(16 + chunks.objects), float64(16 + chunks.objects + 4)}})},
		{"/mode=stream-new/", transfer(14, chunks, chunked, figures{
			"B/op": {size, size + 200_000}, "allocs/op": {float64(16 + chunks.objects), float64(16 + chunks.objects + 80)}, // of dialing, too
			"server-B/op": {36864, 300_000}, "server-allocs/op": {144, 200},
		})},
	}, "-test.bench=Bulk", "-test.benchtime="+strconv.Itoa(calls)+"x", "-framework=hold", "-bulk=1MiB", "-transfers=2")
}

// TestFiguresOfASearch has a server that answers 500 calls a second. In a second at 550 of
// them half wait for 50 ms or more. It mostly waits, so it does not
// claim the machine.
// Slow: a probe takes a second, and there are twenty.
func TestFiguresOfASearch(t *testing.T) {
	if testing.Short() {
		t.Skip("a search takes ten seconds")
	}
	if race.Enabled {
		t.Skip("the race detector multiplies what code costs")
	}
	t.Parallel()
	var found float64
	stderr := assertRows(t, nil, 0, []row{
		{"BenchmarkCapacity/framework=pace/", func(c columns, _ time.Duration) figures {
			f := figures{
				"": exactly(100), "calls/s": {300, 700}, "low-calls/s": {0, c["calls/s"]},
				"dropped": {0, 1000}, "errors": exactly(0),
				"p50-ns": {ms(2), ms(50 * 1.02)}, "min-ns": {1000, 1.01 * c["p50-ns"]}, "mean-ns": {ms(2), ms(1000)}, "max-ns": {c["p50-ns"], ms(5000)},
			}
			if c["high-calls/s"] > 0 { // on a machine of many moods there is none
				f["high-calls/s"] = bounds{c["calls/s"], 1400}
			}
			return f.and(conns(8))
		}},
		{"BenchmarkLoad/framework=pace/", func(c columns, took time.Duration) figures {
			f := open(c, 0, cost{}, cost{}).and(conns(8), figures{
				"calls/s": {.5 * c["offered/s"], 1.05 * c["offered/s"]}, "offered/s": {150, 350}, "B/op": {0, 40_000}, "allocs/op": {0, 10},
				"min-ns": {1000, 1.01 * c["mean-ns"]}, "mean-ns": {ms(1), c["max-ns"]}, "max-ns": {ms(2), float64(took)},
				"wasted-%": exactly(0),
			})
			for _, unit := range []string{"p50-ns", "p99-ns", "lag-p99-ns", "service-p99-ns"} { // too few calls
				delete(f, unit)
			}
			found = c["offered/s"]
			return f
		}},
	}, "-test.bench=Capacity|Load", "-test.benchtime=100x", "-framework=pace", "-size=1KiB", "-workers=200", "-slo=p50-50ms", "-probe=1s", "-load=50", "-wait=quiet")
	rates := regexp.MustCompile(`# BenchmarkLoad/\S+: (\d+) calls/s, from`).FindStringSubmatch(stderr)
	require.NotNil(t, rates, stderr)
	rate, err := strconv.ParseFloat(rates[1], 64)
	require.NoError(t, err)
	assert.InDelta(t, rate/2, found, 1, "half of what was found")
}
