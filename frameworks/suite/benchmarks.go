package suite

import "testing"

// Echo measures a closed loop of callers that send a payload and get it back,
// for each -size and -conc:
//
//	BenchmarkEcho/framework=/transport=/codec=/size=/conc=
//
// With a size such as 1KiB:16KiB the reply is another payload, of 16 KiB. Variants of
// Kind Bytes and Bare have no such line, as they carry no action to ask for it.
//
// With a distribution such as mix:64B-60_1KiB-30_64KiB-10 the n-th call of a run has the n-th
// size of its sequence, which is the same for each framework. The line has the mean and the
// largest of the payloads. Rate, Capacity, Load and Workload take distributions as well.
func Echo(b *testing.B) { run(b, "Echo") }

// Message measures a closed loop of callers that send the bench message, 581
// bytes in protobuf, of which the server sets two fields, for each -conc:
//
//	BenchmarkMessage/framework=/transport=/codec=/conc=
//
// A variant without a bench message, one of Kind Bytes or Bare, echoes as many
// bytes.
func Message(b *testing.B) { run(b, "Message") }

// Rate measures an open loop: calls of Echo that are due at a -rate whether or
// not earlier ones have returned, and what they wait, from when they were due.
// At most -workers of them are in flight:
//
//	BenchmarkRate/framework=/transport=/codec=/size=/rate=
//
// A -rate that moves is one run of a fixed time, which -benchtime does not change. A first line
// has the figures of all of it, and each phase has a line of its own: steps as 1of3, bursts and
// the time between them, and ramps and files of -arrivals in five parts of equal length:
//
//	BenchmarkRate/framework=/transport=/codec=/size=/rate=/phase=
//
// Response, lag and errors are those of the calls that are due in a phase, and calls/s counts
// the replies that came in it: after a step down from too high a rate there are more of them
// than calls are due. settle-ns is the time after a step until calls take as long as later in
// the phase: until the first of three successive intervals whose p50 is within a factor of 1.5
// of that of the second half, where three in four of the intervals after it are as well. A
// phase whose times still change in its second half has none. Intervals have 50 calls or
// more, if the phase is long enough, and take 10 ms to 1 s.
//
// Rate, Capacity, Load and Stall make other calls than Echo where the pattern of -bench
// names their key, which then stands before that of the driver:
//
//	BenchmarkRate/framework=/transport=/codec=/msg=bench/rate=
//	BenchmarkRate/framework=/transport=/codec=/workload=/rate=
//	BenchmarkRate/framework=/transport=/codec=/streams=/size=/rate=
//
// With streams= a call is a message on one of as many streams, there and back, or with
// mode=oneway there, with an acknowledgement of each. Package streams of loadgen tells
// what its times are. blocked-ns is for how long flow control held a message.
//
// With mode=server or mode=fanout, of which the pattern has to name the value, requests or
// publications are due at the -rate, and each message that the server sends for one is a call,
// see Stream:
//
//	BenchmarkRate/framework=/transport=/codec=/streams=/size=/rate=/mode=server/messages=
//	BenchmarkRate/framework=/transport=/codec=/streams=/size=/rate=/mode=fanout
//
// So rate=100 with 100 -messages, or to 100 streams, is 10,000 calls/s. Requests go to the
// streams in turn; with mode=fanout streams= subscribe, and one more publishes.
func Rate(b *testing.B) { run(b, "Rate") }

// Capacity searches for the highest rate of calls of Echo that meets each
// objective of -slo, p99 within 5 ms by default, with at most one call in a
// thousand failing, by an open loop of at most -workers calls in flight:
//
//	BenchmarkCapacity/framework=/transport=/codec=/size=/slo=
//
// calls/s is that rate and low-calls/s to high-calls/s its interval, see
// loadgen/capacity; p50-ns and p99-ns are of the fastest probe that held. Where
// the two are far apart, latency hardly depends on the rate near the objective,
// as when pauses make it: another objective says more. A search takes one to two
// minutes, and up to five there, whatever -benchtime says, and is made once for
// each -count. Its probes are told on stderr, if stdout is a file or pipe
// that stderr does not go to as well.
func Capacity(b *testing.B) { run(b, "Capacity") }

// Load measures latency against load: an open loop of calls of Echo at each
// -load, a percentage of the capacity by the first of -slo, which is searched
// for once for a variant and size, see Capacity:
//
//	BenchmarkLoad/framework=/transport=/codec=/size=/load=
//
// offered/s is the rate that was offered, calls/s counts correct replies, and wasted-% is
// the share of the calls completed by the server's handlers whose reply no caller counted.
//
// Beyond 100 % users give up: a call fails when it takes longer than -call-timeout, by
// default four times the latency of the objective, and is dropped when it has waited as long
// to be sent. With -retry a call that failed is made again, each attempt with that
// timeout, and its response time runs from when it was due to the end of the last one.
// Failed calls are then no failure of the benchmark, unless a reply was wrong. When the last
// call has ended, half of the capacity is offered for up to 10 s: recover-ns is the time from
// when the last call was due until the objective was met again for 30 ms, to within 10 ms.
// At most -workers calls are in flight: to overload a server rather than its client takes
// more of them than it answers within the timeout.
func Load(b *testing.B) { run(b, "Load") }

// Stall shows what a closed and an open loop see of a server that stands still
// for 16 % of the time that b.N calls take at 2000/s, so that with
// -benchtime=10000x it stops for 0.8 of 5 s. Both loops have 10 workers and run for
// this time; the open one makes b.N calls, the closed one as many as it can. What the
// slowest 1 % of users wait is then 750 ms at least, since 1 % of 5 s is 50 ms:
//
//	BenchmarkStall/framework=/transport=/codec=/loop=
func Stall(b *testing.B) { run(b, "Stall") }

// Conn measures Echo by each way that a framework has to its connections, for
// each -conn, -call and -conc, with the first of -size:
//
//	BenchmarkConn/framework=/codec=/conn=/call=/conc=
//
// conn=single is one connection that all callers share, fixed is -conns of
// them, each with its callers, mux is -conns of them that the framework deals
// out, pool lends a caller one for a call, short opens one for each call.
// call=async is the framework's API that does not wait for a reply; conc then
// is the most calls in flight.
func Conn(b *testing.B) { run(b, "Conn") }

// Workload measures a closed loop of callers whose calls have the server's
// handler do some work, for each -workload and -conc. The payload is 64 bytes, or
// each of -size if that is given. Each workload has a server process of its own:
//
//	BenchmarkWorkload/framework=/transport=/codec=/workload=/conc=
//	BenchmarkWorkload/framework=/transport=/codec=/workload=/conc=/size=
//
// server-cpu-ns/op is the CPU of that process: that of a database in another
// process is not in it. Variants of Kind Bytes and Bare are left out, as they
// carry no action to ask for work.
func Workload(b *testing.B) { run(b, "Workload") }

// Cluster measures Echo by one client of several servers that do the same, for
// each -servers and -conc, with the first of -size:
//
//	BenchmarkCluster/framework=/transport=/codec=/servers=/conc=
//
// Calls are dealt out by the framework's own load balancing, in its default policy or in
// those of -policy; where it has none, worker by worker.
//
// With -cluster-rate or -slow it is an open loop of calls whose handlers sleep, as -sleep says,
// or of Echo where Config.Workloads has no sleep:
//
//	BenchmarkCluster/framework=/transport=/codec=/servers=/workload=sleep/rate=/slow=1:10x/policy=p2c
//
// The client has one connection to each server, or a pool; where the framework has no load
// balancing, each call goes to a server that is drawn. A line with # tells which share of the
// calls each server handled over time, and slow-share-% that of the slow one.
//
// slow=1:10x is a first server whose handlers take ten times as long. With slow=1:frozen,
// 1:dead, 1:restarting and 1:back:5s the server stands still or is killed when a quarter of
// the run is over, and each call has 250 ms, or -call-timeout. left-ns is how long calls then
// failed or took more than half of their time, used-again-ns how long a server was up again
// before it was used. The run is as long as that needs, and calls that fail are no failure.
func Cluster(b *testing.B) { run(b, "Cluster") }

// Stream measures a closed loop over streams that stay open, one for each of
// -conc callers, for each -size:
//
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=/mode=oneway
//
// A call is a message there and back; with mode=oneway a message there, of
// which the server acknowledges every 32nd with the sum of what it has
// received, so that at most 31 of a stream are counted before they arrived.
// Every message is numbered: one that is lost, doubled or out of its order is a
// failed call.
//
// Where the pattern of -bench names mode=server or mode=fanout the server sends messages by
// itself. The framework's bidirectional stream is used one way then, and stays open: what it
// takes to open a stream for each request is not measured:
//
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=/mode=server/messages=
//	BenchmarkStream/framework=/transport=/codec=/size=/conc=/mode=fanout
//
// With mode=server each caller sends a request of the size, which the server answers by
// -messages of the size, and the next one when it has all of them. With
// mode=fanout a stream beside the callers' publishes a message, which the server hands to a
// goroutine of each caller's stream, and the next one when all callers have it. The server
// queues 16 messages of a stream; then publishing waits, and no message is dropped.
//
// A call is a message that a caller receives. p50-ns and p99-ns are of the time from when its
// request, or its publication, was sent, or with Rate was due, until it was received. first- and
// last- stand before the metrics of the first message of each request or publication, and of
// the last: with mode=fanout of the fastest caller and of the slowest. A message that is lost,
// doubled or out of its order fails all that are still to come.
func Stream(b *testing.B) { run(b, "Stream") }

// Bulk measures a closed loop of transfers, there and back, for each -bulk size
// and each number of them at once in -transfers; MB/s counts one way:
//
//	BenchmarkBulk/framework=/mode=/size=/parallel=/net=
//
// mode=bytes is a field of a message, attachment are bytes past the serializer
// (codec=raw), stream continues one stream for all transfers of a worker, with
// messages of -chunk bytes, and stream-new opens and closes one for each; chunk=
// comes last on the line where it is not 64KiB. The reference, framework=tcp,
// has mode=oneway as well, of which only the sum comes back. The first variant
// of a framework that has a mode stands for it. Where messages cannot be so
// large there is no row, and a line that names the framework and its limit. When
// the end of a transfer has been stamped, every byte is compared. The watchdog
// waits longer for transfers, a second for every 2 MiB at once.
//
// framework=iperf3 does what raw TCP does one way, where iperf3 is installed, also over lines.
//
// After the lines comes the share that the best mode of each framework has of
// the reference's best.
func Bulk(b *testing.B) { run(b, "Bulk") }

// Count counts what a call of Echo costs besides time, for each -size: bytes and
// segments on the wire, system calls, allocations, context switches.
//
//	BenchmarkCount/framework=/transport=/codec=/size=
//
// A pass of 400 calls by one caller, and 150 more whose system calls are traced, are all
// that it makes, whatever -benchtime says: -benchtime=1x suits it.
func Count(b *testing.B) { run(b, "Count") }

// Idle measures connections that are open and silent, for each number of -idle, and what
// they do to the calls of others:
//
//	BenchmarkIdle/framework=/transport=/codec=/idle=
//
// A new server process first answers 100 callers (-active; the key active= names another
// number), who call at 1,000 calls a second. Then
// the connections are opened, by clients of the framework that have 250 each, and each
// carries a call, because buffers are allocated with the first one. Memory, goroutines,
// descriptors and CPU time of a connection are the difference of a process to what it had
// before; garbage is collected before each reading. At last the callers call again: the
// line has the latencies of these calls, the CPU time of each on both sides, and as
// alone-p99-ns the p99 of the calls before.
//
// conns is how many connections there were. Where these are fewer than idle= says, a
// warning tells why. Variants without idle connections have no line, nor has one that only
// advises another number of connections. A case takes half a minute, and 50,000
// connections a minute or two, whatever -benchtime says.
func Idle(b *testing.B) { run(b, "Idle") }

// Dial measures a connection's first second, by one caller with one connection, for each
// -down:
//
//	BenchmarkDial/framework=/transport=/codec=/down=
//	BenchmarkDial/framework=/transport=/codec=/down=none/handshake=/with=tls13
//
// down=none is of new clients of a server that runs: each is dialed, makes a call of 1 KiB
// and is closed. p50-ns, p99-ns and max-ns are of dial and call together, dial-ns and
// first-call-ns the medians of both. There are 10,000 clients, in all rounds of -count, and
// fewer where they take more than 20 s. Frameworks that connect in the first call have a
// short dial. A framework that cannot close its clients has no line.
//
// With a layer of TLS these are two lines: each client has a full handshake, or one that
// resumes the session of the client before. resumed-% should be 0 or 100; else a warning
// says why. calls/s are handshakes a second, one at a time, each with a call.
//
// down=500ms is of a client that has a connection when its server is killed. A new server
// starts at the same address after that time. The client calls all the while, and again a
// millisecond after each call that fails. reconnect-ns is the median of the time from when
// the server was up until a call succeeded, max-ns the longest, failed-calls how many failed
// in that time, and reconnects how many of 10 restarts the client survived. After the first
// that it did not, within the time of -watchdog, the line ends, and a line with "no figures"
// or "warning" says why. The time for which the server is down matters to clients that wait
// longer after each attempt.
//
// -conns does not apply. -benchtime=500x makes 500 new clients instead, within the same 20 s.
// With 1x there are 20 new clients and one restart. A line takes as long as it needs where
// -benchtime is a time.
func Dial(b *testing.B) { run(b, "Dial") }

// Mix measures an open loop of small calls and large ones on the same connections, for each
// -mix and -mix-rate:
//
//	BenchmarkMix/framework=/transport=/codec=/mix=/rate=
//
// Of mix=1KiB-99_1MiB-1 99 calls in 100 carry 1 KiB, there and back, and one 1 MiB. Which
// ones does not depend on how fast they are. small-p50-ns, small-p99-ns and small-calls/s are
// of the small ones, those with large- of the others. Where a connection carries one message
// after the other, small ones wait behind a large one: compare frameworks that share
// connections with those that pool them, and -conns=1 with -conns=10. A p99 of the small ones
// takes 10,000 of them, 6 s by default.
//
// Where messages cannot be so large there is no line, and one with "skipped" says so.
func Mix(b *testing.B) { run(b, "Mix") }

// run measures the cases of a benchmark, those of a variant on one testbed.
func run(b *testing.B, benchmark string) {
	if current == nil {
		b.Fatal(hint)
	}
	if !current.plan.Knows(benchmark) {
		b.Fatalf("suite: there is no benchmark %q", benchmark)
	}
	groups := current.plan.Groups(benchmark)
	if len(groups) == 0 { // testing would print a result
		b.Skip("there is no case to measure")
	}
	for _, group := range groups {
		b.Run(group[0].Base, func(b *testing.B) {
			bed := current.rig.Testbed()
			b.Cleanup(bed.Close)
			for _, c := range group {
				b.Run(c.Rest, func(b *testing.B) {
					if b.Failed() { // with -count testing goes on with a case whose first round failed, and prints no line of it
						return
					}
					if err := current.measure(b, bed, c); err != nil {
						b.Fatal(harmless(err.Error()))
					}
				})
				current.progress.End()
			}
		})
	}
}
