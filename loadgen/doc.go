// Package loadgen is a load generator for any call of a Go program, such as an HTTP request,
// an RPC or a query, and measures how long users wait for it at a given rate. It is for
// those who run a service and want to know, in a program, a test or a benchmark, what it holds.
//
//	result, err := loadgen.Run(ctx, loadgen.Config{
//		Workers:  50,                      // the most calls in flight
//		Schedule: loadgen.Poisson(500, 1), // 500 calls a second, as independent users make them
//		Duration: 20 * time.Second,
//	}, call)
//	fmt.Println(result)
//
// # Due, sent, done
//
// In an open loop a schedule says when each call is due, whether or not
// earlier ones have returned. A worker sends it then, or as soon as one is
// free, and at some time it is done:
//
//	  due          sent                     done
//	───┼────────────┼────────────────────────┼───▶ time
//	   ├─── lag ────┤                        │
//	   │            ├────── service ─────────┤
//	   ├───────────────── response ──────────┤
//
// Response is how long a user waits, which elsewhere is called latency. Service
// alone hides every call that had to wait to be sent: a server that stands still
// for a second delays thousands of calls, and only the few that were in flight
// show it. That is coordinated omission. Lag is the wait before the call was
// sent, because all workers were busy or because the generator was late;
// Result.Warnings says which.
//
// In a [ClosedLoop] each worker calls again when its last call has returned.
// There is no due time, and response equals service. A closed loop measures how
// much gets done and an open loop how long users wait, so [Run] makes you choose.
//
// # Runs
//
// [Run] makes one kind of call, [AsyncCall.Run] makes calls that return before they are
// done, [Mix.Run] makes several kinds in one run, and [RunCarrier] is for messages whose
// answers arrive elsewhere. Packages capacity and loadbench, which make runs of their own,
// take a [Runner], such as the Run of a [Call]. Config.OnCall tells a worker the number and
// the due time of each call. The [Result] has the counts, the histograms and the reasons not to trust
// them; its String method prints a report. Beside a percentile stands how well it is known,
// see [Confidence], or a question mark where the run cannot tell: where it was short, or saw
// too few slow phases.
//
// # Cost and precision
//
// A call costs one reading of the clock and some 10 ns more in a closed loop,
// 30 ns in an open one, and no allocation. On Linux an open loop sends calls within
// Config.Slack, 100 µs by default, where tools that wait with time.Sleep are half a
// millisecond late in the median. Calls that are due within that time share a wake-up,
// which is most of what sending costs. With a Slack of 1 ns it stays awake and sends calls a
// microsecond late in the median, and up to ten where GOMAXPROCS is more than 1, since a
// worker wakes the next one, on another thread, before it sends.
// Durations are recorded to within 0.1 %, from 1 ns to [MaxLatency].
//
// A server that runs in the same process competes with the generator for one
// Go scheduler and adds milliseconds to every wait: give it a process of its
// own.
//
// # Packages
//
// This package imports the standard library alone. Below it, capacity searches for the
// highest rate at which a percentile stays below a given latency, loadbench runs a load in
// a testing.B, httpload sends HTTP requests, streams sends messages over streams, and agent
// runs in many processes that load one server together; progress tells how a run goes on,
// record keeps results in files, hdr writes the formats of HdrHistogram and reads its logs,
// and selftest measures what the generator can do on a host. Package carrier has what
// streams is made of, for protocols that it does not fit.
package loadgen
