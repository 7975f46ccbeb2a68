package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTypos has one sentence that helps for each mistyped flag and each selection
// of nothing. In the sentences, PATTERN stands for what -test.bench was given.
func TestTypos(t *testing.T) {
	t.Parallel()
	unraced(t)
	for _, c := range []struct{ about, args, say string }{
		{"a letter of a flag is missing", "-famework=tiny", "unknown flag -famework; did you mean -framework?"},
		{"a flag's name goes on", "-frameworks=tiny", "unknown flag -frameworks; did you mean -framework?"},
		{"-sizes and -size", "-sizes=1KiB", "unknown flag -sizes; did you mean -size?"},
		{"what others call -conc", "-concurrency=10", "unknown flag -concurrency; did you mean -conc?"},
		{"and what they call -conns", "-connections=5", "unknown flag -connections; did you mean -conns?"},
		{"callers are -conc", "-callers=5", "unknown flag -callers; did you mean -conc?"},
		{"the time that a case takes", "-duration=10s", "unknown flag -duration; did you mean -test.benchtime?"},
		{"two letters are swapped", "-detial", "unknown flag -detial; did you mean -detail?"},
		{"a flag that nothing is like", "-colour", "unknown flag -colour; -h lists the flags, after go test . -args -h"},
		{"a flag of go test without test. before it", "-bench=Echo", "-bench is a flag of go test: write it before -args, or -test.bench for a compiled binary"},
		{"another one", "-benchtime=1s", "-benchtime is a flag of go test: write it before -args, or -test.benchtime for a compiled binary"},
		{"a mistyped flag of go test", "-test.benchtme=1s", "unknown flag -test.benchtme; did you mean -test.benchtime?"},
		{"a key as a flag", "-transport=tcp", "there is no flag -transport: -bench selects by keys, as in -bench 'Echo/framework=/transport=tcp'"},
		{"several of its values", "-codec=gob,json", "there is no flag -codec: -bench selects by keys, as in -bench 'Echo/framework=/transport=/codec=(gob|json)'"},
		{"a key that few variants have", "-profile=tuned", "there is no flag -profile: -bench selects by keys, as in -bench 'Echo/framework=/transport=/codec=/size=/conc=/profile=tuned'"},
		{"the variants without it", "-profile=default", "there is no flag -profile: a pattern of -bench that ends in $ selects variants without profile=, as in -bench 'Echo/framework=/transport=/codec=/size=/conc=100$'"},
		{"the size of a pool", "-pool-worker=8", "unknown flag -pool-worker; did you mean -pool-workers?"},
		{"a pool", "-pool=workers", "there is no flag -pool: -bench selects by keys, as in -bench 'Echo/framework=/transport=/codec=/size=/conc=/pool=workers'"},
		{"a mode", "-mode=stream", "there is no flag -mode: -bench selects by keys, as in -bench 'Bulk/framework=/mode=stream'"},
		{"a number that is none", "-conns=ten", "-conns=ten: must be a whole number"},
		{"a time without its unit", "-watchdog=10", "-watchdog=10: must be a duration, as in 10s or 500ms"},
		{"neither true nor false", "-detail=maybe", "-detail=maybe: must be true or false"},
		{"a flag without its value", "-conns", "-conns needs a value: write -conns=…"},
		{"a value after a space and no flag", "-test.bench=Echo tiny -size=1KiB", `arguments left over after the flags: ["tiny" "-size=1KiB"]; write our flags with = and after the package, as in go test -bench Echo . -conc=100`},
		{"a mistyped framework", "-test.bench=Echo -framework=tniy", `-framework: unknown framework "tniy"; did you mean tiny?`},
		{"a framework of another package", "-test.bench=Echo -framework=grpc", `-framework: unknown framework "grpc": there are tiny, small, mixed, deaf, flaky, stale, stuck, mortal, yours, vain, shy, pooled, mute, mirror, copycat, bare, barecat, patient, hasty, leaver, fewer, lasting, keeper, slow, once, sulky, hog, unveiled, trusting, heavy, untraced, spanless, forgetful, twin, crew, spend, hold, nap, pace, fail, strayaway, unrankedstrayaway, straybeside, unrankedstraybeside, strayone, unrankedstrayone, floor`},
		{"a mistyped set of two", "-test.bench=Echo -set=all,protbuf", `-set: unknown "protbuf"; did you mean protobuf?`},
		{"a mistyped set", "-test.bench=Echo -set=recomended", `-set: unknown "recomended"; did you mean recommended?`},
		{"a set and a framework that have nothing in common", "-test.bench=Echo -framework=twin -set=recommended", "-set=recommended -framework=twin: no variant is left to measure"},
		{"a set of which no framework has a variant", "-test.bench=Echo -set=protobuf", "-set=protobuf: no variant is left to measure"},
		{"a server without its key", "-test.bench=Echo -server=tiny@h:1", `-server=tiny@h:1: "tiny" is not the first keys of any variant; did you mean framework=tiny?`},
		{"mistyped arrivals", "-test.bench=Rate -arrivals=posson", `-arrivals: there is no file of this name: unknown "posson"; did you mean poisson?`},
		{"a mistyped fault", "-test.bench=Echo -fault=freze", `-fault: unknown "freze"; did you mean freeze?`},
		{"a network that there is not", "-test.bench=Echo -net=dealy-5ms", `-net: unknown "dealy-5ms"; did you mean delay-5ms?`},
		{"windows of frameworks that have none", "-test.bench=Bulk -window=64KiB", "-window=64KiB: no framework that is selected has a window to set"},
		{"a window that is none", "-test.bench=Bulk -window=64kB", `-window: "64kB" is not a size: use a whole number and B, KiB, MiB or GiB, up to 1GiB, as in 256B or 64KiB`},
		{"a window that is not measured by default", "-test.bench=Bulk/framework=tiny/mode=bytes/size=/parallel=/net=/window=64KiB", "-bench=PATTERN matches no case: there is no window=64KiB: -window is empty; add -window=64KiB"},
		{"a mistyped layer", "-test.bench=Echo -with=gzp", `-with: with=gzp: "gzp" is no layer; layers are tls13, mtls, gzip, zstd, snappy, otel, joined by _`},
		{"layers that exclude each other", "-test.bench=Echo -with=tls13_mtls", "-with: with=tls13_mtls: tls13 and mtls exclude each other"},
		{"metadata in no form", "-test.bench=Echo -metadata=2,many", "-metadata: metadata=many: must be ENTRIES or ENTRIES:BYTES, with -binary or -fresh behind it or both in this order, as in 20, 20:256B or 20-fresh"},
		{"metadata over the limit", "-test.bench=Echo -framework=tiny,heavy -metadata=0,3000:1KiB", "-metadata=3000:1KiB: 3108000 bytes of names and values are over the limit of framework=tiny (3108000 bytes of 1048576), framework=heavy (3108000 bytes of 1048576)"},
		{"metadata that the framework lacks", "-test.bench=Echo -framework=twin -metadata=2", "-metadata=2: no variant that is selected has it: twin; these have: tiny, unveiled, trusting, heavy, untraced, spanless, forgetful"},
		{"metadata that is not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=/metadata=2", "-bench=PATTERN matches no case: there is no metadata=2: -metadata is empty; add -metadata=2"},
		{"interceptors in no form", "-test.bench=Echo -chain=0,many", "-chain: chain=many: must be a whole number of interceptors on each side, from 0 to 100"},
		{"more interceptors than there can be", "-test.bench=Echo -chain=101", "-chain: chain=101: must be a whole number of interceptors on each side, from 0 to 100"},
		{"interceptors that the framework lacks", "-test.bench=Echo -framework=twin -chain=5", "-chain=5: no variant that is selected has it: twin; these have: tiny, unveiled, trusting, heavy, untraced, spanless, forgetful"},
		{"interceptors that are not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=/chain=5", "-bench=PATTERN matches no case: there is no chain=5: -chain is empty; add -chain=5"},
		{"a layer that the framework lacks", "-test.bench=Echo -framework=twin -with=otel", "-with=otel: no variant that is selected has it: twin; these have: tiny, unveiled, trusting, heavy, untraced, spanless, forgetful"},
		{"a layer that is not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=/with=gzip", "-bench=PATTERN matches no case: there is no with=gzip: -with is empty; add -with=gzip"},
		{"a payload that is not sent by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/data=compressible", "-bench=PATTERN matches no case: there is no data=compressible: add -payload=compressible"},
		{"a payload that is no compressible one", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/data=zeros", "-bench=PATTERN matches no case: Echo has no key data=: there are framework=, transport=, codec=, size=, conc="},
		{"a deadline that calls do not have by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/timeout=50ms", "-bench=PATTERN matches no case: there is no timeout=50ms: add -call-timeout=50ms"},
		{"another deadline", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/timeout=50ms -call-timeout=1s", "-bench=PATTERN matches no case: framework=tiny has no timeout=50ms: there is timeout=1s"},
		{"the key of a payload as a flag", "-data=compressible", "unknown flag -data; did you mean -payload?"},
		{"a payload that no request has", "-test.bench=Message/framework=tiny -payload=compressible", "-payload=compressible: the requests of Message do not have that payload"},
		{"a mistyped payload", "-test.bench=Echo -payload=compresible", `-payload: unknown "compresible"; did you mean compressible?`},
		{"a workload that there is not", "-test.bench=Workload -workload=slow", `-workload: unknown workload "slow": there are steady, noted, placed, moody`},
		{"a mistyped connection model", "-test.bench=Conn -conn=singel", `-conn: unknown "singel"; did you mean single?`},
		{"a mistyped way to call", "-test.bench=Conn -call=asinc", `-call: unknown "asinc"; did you mean async?`},
		{"a mistyped benchmark", "-test.bench=Ehco", "-bench=PATTERN matches no case: there is no benchmark Ehco; did you mean Echo?"},
		{"a small letter", "-test.bench=message", "-bench=PATTERN matches no case: there is no benchmark message; did you mean Message?"},
		{"a benchmark's name begins with Benchmark", "-test.bench=^Echo$/framework=tiny", "-bench=PATTERN matches no case: no benchmark is ^Echo$; did you mean ^BenchmarkEcho?"},
		{"a benchmark that the package lacks", "-test.bench=Stall", "-bench=PATTERN matches no case: this package lacks func BenchmarkStall(b *testing.B) { suite.Stall(b) }"},
		{"a benchmark that there is not", "-test.bench=Latency", "-bench=PATTERN matches no case: there is no benchmark Latency: there are Echo, Message, Rate, Capacity, Load, Conn, Workload, Cluster, Stream, Bulk, Count, Idle, Dial, Mix"},
		{"a value without its key", "-test.bench=Echo/tiyn", "-bench=PATTERN matches no case: there is no key with tiyn; did you mean framework=tiny?"},
		{"a mistyped framework in a pattern", "-test.bench=Echo/framework=tinny", "-bench=PATTERN matches no case: there is no framework=tinny; did you mean framework=tiny?"},
		{"a framework that there is not", "-test.bench=Echo/framework=grpc", "-bench=PATTERN matches no case: there is no framework=grpc: there are framework=tiny, framework=small, framework=mixed, framework=deaf, framework=flaky, framework=stale, framework=stuck, framework=mortal, framework=vain, framework=shy, framework=pooled, framework=mute, framework=mirror, framework=copycat, framework=bare, framework=barecat, framework=patient, framework=hasty, framework=leaver, framework=fewer, framework=lasting, framework=keeper, framework=slow, framework=once, framework=sulky, framework=hog, framework=unveiled, framework=trusting, framework=heavy, framework=untraced, framework=spanless, framework=forgetful, framework=twin, framework=crew, framework=spend, framework=hold, framework=nap, framework=pace, framework=fail, framework=strayaway, framework=unrankedstrayaway, framework=straybeside, framework=unrankedstraybeside, framework=strayone, framework=unrankedstrayone, framework=floor"},
		{"a framework whose servers are the users'", "-test.bench=Echo/framework=yours", "-bench=PATTERN matches no case: framework=yours is measured with -server alone: its servers are yours"},
		{"a mistyped key", "-test.bench=Echo/framwork=tiny", "-bench=PATTERN matches no case: Echo has no key framwork=; did you mean framework=?"},
		{"a key at another one's place", "-test.bench=Echo/transport=tcp", "-bench=PATTERN matches no case: transport= has another place, as in 'Echo/framework=/transport=tcp'"},
		{"a transport that the framework lacks", "-test.bench=Echo/framework=twin/transport=udp", "-bench=PATTERN matches no case: framework=twin has no transport=udp: there is transport=tcp"},
		{"a mistyped codec", "-test.bench=Echo/framework=twin/transport=tcp/codec=gop", "-bench=PATTERN matches no case: framework=twin has no codec=gop; did you mean codec=gob?"},
		{"a variant that -set leaves out", "-test.bench=Echo/framework=twin -set=recommended", "-bench=PATTERN matches no case: framework=twin is left out by -set=recommended"},
		{"a framework that -framework leaves out", "-test.bench=Echo/framework=tiny -framework=small", "-bench=PATTERN matches no case: framework=tiny is left out by -framework=small"},
		{"a size that is not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=2KiB", "-bench=PATTERN matches no case: there is no size=2KiB: -size is 64B,1KiB,16KiB; add -size=2KiB"},
		{"a size that is none", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=2KB", `-bench=PATTERN matches no case: size=2KB: "2KB" is not a size: use a whole number and B, KiB, MiB or GiB, up to 1GiB, as in 256B or 64KiB`},
		{"a number of callers that is not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=1000$", "-bench=PATTERN matches no case: there is no conc=1000: -conc is 100; add -conc=1000"},
		{"a list in a pattern", "-test.bench=Echo/framework=tiny,small", "-bench=PATTERN matches no case: several values are written framework=(tiny|small)"},
		{"a key is forgotten", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/conc=100", "-bench=PATTERN matches no case: conc= has another place, as in 'Echo/framework=/transport=/codec=/size=/conc=100'"},
		{"a key of another benchmark", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/rate=1000", "-bench=PATTERN matches no case: Echo has no key rate=: there are framework=, transport=, codec=, size=, conc="},
		{"a profile that the framework lacks", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/profile=tuned", "-bench=PATTERN matches no case: framework=tiny has no variant with profile=tuned"},
		{"a profile that there is not", "-test.bench=Echo/framework=twin/transport=tcp/codec=gob/size=1KiB/conc=100/profile=fast", "-bench=PATTERN matches no case: framework=twin has no profile=fast: there is profile=tuned"},
		{"a network that is not measured by default", "-test.bench=Echo/framework=tiny/transport=tcp/codec=gob/size=1KiB/conc=100/net=delay-1ms", "-bench=PATTERN matches no case: there is no net=delay-1ms: -net is none; add -net=delay-1ms"},
		{"a rate that is not offered by default", "-test.bench=Rate/framework=tiny/transport=tcp/codec=gob/size=1KiB/rate=5000", "-bench=PATTERN matches no case: there is no rate=5000: -rate is 10000,20000; add -rate=5000"},
		{"a load that is not offered by default", "-test.bench=Load/framework=tiny/transport=tcp/codec=gob/size=1KiB/load=95%", "-bench=PATTERN matches no case: there is no load=95%: -load is 10,20,30,40,50,60,70,80,90,100,110; add -load=95"},
		{"a transfer that is not measured by default", "-test.bench=Bulk/framework=tiny/mode=bytes/size=1MiB", "-bench=PATTERN matches no case: there is no size=1MiB: -bulk is 256B,64KiB,4MiB,45MiB; add -bulk=1MiB"},
		{"more transfers at once than by default", "-test.bench=Bulk/framework=tiny/mode=bytes/size=4MiB/parallel=16", "-bench=PATTERN matches no case: there is no parallel=16: -transfers is 1,2,4,8; add -transfers=16"},
		{"a mode that the framework lacks", "-test.bench=Bulk/framework=tiny/mode=stream", "-bench=PATTERN matches no case: framework=tiny has no mode=stream: there is mode=bytes"},
		{"connections that the framework does not have", "-test.bench=Conn/framework=tiny/codec=gob/conn=pool", "-bench=PATTERN matches no case: framework=tiny has no conn=pool: there are conn=single, conn=fixed"},
		{"servers that are not started by default", "-test.bench=Cluster/framework=tiny/transport=tcp/codec=gob/servers=3", "-bench=PATTERN matches no case: there is no servers=3: -servers is 2; add -servers=3"},
		{"a mix that is not made by default", "-test.bench=Mix/framework=tiny/transport=tcp/codec=gob/mix=1KiB-9_1MiB-1", "-bench=PATTERN matches no case: there is no mix=1KiB-9_1MiB-1: -mix is 1KiB-99_1MiB-1; add -mix=1KiB-9_1MiB-1"},
		{"a rate of a mix that is not offered by default", "-test.bench=Mix/framework=tiny/transport=tcp/codec=gob/mix=/rate=500", "-bench=PATTERN matches no case: there is no rate=500: -mix-rate is 2000; add -mix-rate=500"},
		{"a time for which no server is down by default", "-test.bench=Dial/framework=tiny/transport=tcp/codec=gob/down=2s", "-bench=PATTERN matches no case: there is no down=2s: -down is none,500ms; add -down=2s"},
		{"a time that is none", "-test.bench=Dial/framework=tiny/transport=tcp/codec=gob/down=soon", `-bench=PATTERN matches no case: down=soon: "soon" must be none, or a time from 1ms to 1m0s, as in 500ms`},
		{"a mistyped workload in a pattern", "-test.bench=Workload/framework=tiny/transport=tcp/codec=gob/workload=stedy", `-bench=PATTERN matches no case: workload=stedy: unknown workload "stedy"; did you mean steady?`},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			args := strings.Fields(c.args)
			pattern := strings.TrimPrefix(args[0], "-test.bench=")
			out, errOut, code := self(t, args...)
			assert.Equal(t, "rpcbench: "+strings.Replace(c.say, "PATTERN", pattern, 1)+"\n", errOut)
			assert.Equal(t, 2, code)
			assert.Empty(t, out, "nothing has run")
		})
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	unraced(t)
	out, errOut, code := self(t, "-h")
	assert.Zero(t, code)
	assert.Empty(t, errOut)
	assert.Contains(t, out, "\nLoad\n  -conns connections        connections of a transport")
	_, more, _ := strings.Cut(out, "\nMore\n")
	more, _, _ = strings.Cut(more, "\n\n")
	assert.Regexp(t, `^(  -crowds .*\n  -ends int .*\n +minute \(20\))?$`, more, "every flag has its subject, but those of tests")
	assert.NotContains(t, out, "-test.v")
	for line := range strings.Lines(out) {
		assert.LessOrEqual(t, len([]rune(line)), 91, line)
	}
}

func TestCallsOfABenchtime(t *testing.T) {
	for benchtime, want := range map[string]int64{"1x": 1, "1000x": 1000, "1s": 0, "0.5s": 0, "1h30m": 0, "": 0} {
		assert.Equal(t, want, callsOf(benchtime), benchtime)
	}
}
