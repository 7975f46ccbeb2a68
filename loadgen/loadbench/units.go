package loadbench

import (
	"slices"
	"strings"
)

// Unit is what a figure of a benchmark line is measured in.
type Unit struct {
	Names   string // the unit, or several with one meaning, separated by ", "
	Better  string // "higher" or "lower"; "" if the figure is neither good nor bad
	Assume  string // what benchstat assumes of several runs: "exact" if all have the same figure
	Meaning string // in Markdown, without a full stop at its end
}

// Directions in which a figure is better.
const (
	higher = "higher"
	lower  = "lower"
)

const (
	exact   = "exact"
	nothing = "nothing"
)

// Units are all units of the lines of this project, in the order of a table for readers.
func Units() []Unit {
	return slices.Concat(unitsOfCalls(), unitsOfSides(), unitsOfLoops(), unitsOfBenchmarks(), unitsOfClusters(), unitsOfConnections(), unitsOfCounts())
}

// UnitLines tells benchstat which direction is better for each unit. It is to be printed
// before the benchmark lines.
func UnitLines() string {
	var b strings.Builder
	for _, u := range Units() {
		for name := range strings.SplitSeq(u.Names, ", ") {
			if !knownToBenchstat(name) {
				b.WriteString("Unit " + name + property(" better=", u.Better) + property(" assume=", u.Assume) + "\n")
			}
		}
	}
	return b.String()
}

func property(key, value string) string {
	if value == "" {
		return ""
	}
	return key + value
}

func knownToBenchstat(unit string) bool {
	return slices.Contains([]string{"ns/op", "MB/s", "B/op", "allocs/op"}, unit)
}

func unitsOfCalls() []Unit {
	return []Unit{
		{"calls/s", higher, "", "correct replies a second; failed calls are not counted"},
		{"p50-ns, p99-ns, p99.9-ns", lower, "", "response times: half of the calls, 99 of 100, or 999 of 1,000 took at most this. In an open loop they begin when the call was due, in a closed loop when it was sent"},
		{"ns/op", lower, "", "time of the run divided by its calls; all callers work at once, so it is not the time of a call"},
		{"MB/s", higher, "", "payload bytes in one direction, in 10⁶, from 64 KiB up, and of sizes that vary"},
		{"payload-mean-B, payload-largest-B", "", nothing, "of sizes that vary: the mean and the largest of the payloads that were sent"},
		{"errors", lower, exact, "failed calls. It must be 0, else the exit code is 1; `Load` beyond 100 % allows them"},
		{"conns", "", exact, "connections that were open. Another number than expected, on either side, is a warning, and fails a ranked row"},
		{"min-ns, mean-ns, max-ns", lower, "", "the fastest response, the mean and the slowest"},
		{"service-p99-ns", lower, "", "the same as `p99-ns`, from when the call was sent"},
		{"retries/op", lower, "", "attempts after the first, by `-retry`, for each call"},
		{"flips", "", nothing, "bits that `-fault=flip` or `-fault=noise` has flipped"},
	}
}

func unitsOfSides() []Unit {
	return []Unit{
		{"client-cpu-ns/op, server-cpu-ns/op", lower, "", "CPU time of a call on each side, in user and system"},
		{"client-busy-%, server-busy-%", "", nothing, "share of its CPUs that each side used; from 90 on the side was the limit"},
		{"B/op, allocs/op", lower, "", "bytes and objects that the client allocates in a call"},
		{"server-B/op, server-allocs/op", lower, "", "the same of the server"},
		{"client-rss-B, server-rss-B", lower, "", "resident memory at the end of the run, garbage and the binary included"},
		{"client-peak-B, server-peak-B", lower, "", "the most resident memory of a transfer"},
		{"client-idle-B", "", nothing, "resident memory of the client before the transfers"},
		{"client-window-B, server-window-B", "", nothing, "the TCP receive window that the kernel of each side advertised last, on the connection that carried most"},
		{"net-cpu-ns/op", lower, "", "CPU time of a call in what lies between the two sides (`-net`)"},
		{"net-busy-%", "", nothing, "the same, in per cent of one CPU"},
		{"net-lost-%", "", nothing, "share of packets that the network dropped, by its `loss-` or because its queue was full"},
		{"softirq-%, softirq-outside-%", "", nothing, "time of soft interrupts on the CPUs of both sides, and on all other CPUs, in per cent of both sides' CPU time"},
		{"other-busy-%, stolen-%", "", nothing, "share of the CPUs of both sides that other processes used, and that the machine's host gave to others"},
	}
}

func unitsOfLoops() []Unit {
	return []Unit{
		{"offered/s", "", nothing, "the rate that was asked for"},
		{"dropped", lower, exact, "calls that were due and never sent"},
		{"lag-p99-ns", lower, "", "how late calls were sent"},
		{"blocked-ns, blocked-p99-ns", lower, "", "how long flow control held a message of a stream, on average and at most for 99 of 100. It is part of the response and never of the lag"},
		{"low-calls/s, high-calls/s", higher, "", "the interval of a capacity"},
		{"wasted-%", lower, "", "share of the completed handler calls whose reply no caller counted"},
		{"settle-ns", lower, "", "time after a step of the rate until the median response, by intervals, is near where it stays in the phase; 1 ns for at once"},
		{"recover-ns", lower, "", "time from the end of the overload until calls meet the objective again"},
	}
}

func unitsOfBenchmarks() []Unit {
	return []Unit{
		{"small-calls/s, large-calls/s", higher, "", "of a mix: the calls of each size"},
		{"small-p50-ns, small-p99-ns, large-p50-ns, large-p99-ns", lower, "", "of a mix: their response times. A median takes 20 calls"},
		{"first-calls/s, last-calls/s", higher, "", "of messages that a server sends by itself: the requests or publications of which the first message has come, and the last"},
		{"first-p50-ns, first-p99-ns, last-p50-ns, last-p99-ns", lower, "", "of messages that a server sends by itself: the response times of the first message for a request, or to reach a subscriber, and of the last"},
		{"dial-ns, first-call-ns", lower, "", "the medians of the two parts of a new client's first call"},
		{"resumed-%", "", nothing, "handshakes that resumed a session of TLS: 0 with `handshake=full`, 100 with `handshake=resumed`"},
		{"reconnect-ns", lower, "", "from when a killed server was up again until a call of its old client succeeded"},
		{"reconnects", higher, exact, "how many restarts the client survived"},
		{"failed-calls", lower, "", "calls that failed while a server was down, and of `Dial` from when it was up again until a call succeeded"},
	}
}

func unitsOfClusters() []Unit {
	return []Unit{
		{"slow-share-%", "", nothing, "share of the calls that the slow server of `Cluster` handled"},
		{"late-calls", lower, "", "calls that took more than half of the time that each has, -call-timeout or 250 ms, while a server of `Cluster` was down"},
		{"suffered-%", lower, "", "`failed-calls` and `late-calls`, in per cent of the calls in that time"},
		{"left-ns", lower, "", "from when a server failed until the last call was due that failed or was late. It is missing if that went on"},
		{"used-again-ns", lower, "", "from when a server was up again until it was seen to have handled a call"},
		{"even-again-ns", lower, "", "from then until it had handled half as many calls in 0.1 s as the others on average, at least"},
	}
}

func unitsOfConnections() []Unit {
	return []Unit{
		{"accepts/s", higher, "", "connections that were opened in a second, each with a first call"},
		{"alone-p99-ns", lower, "", "`p99-ns` of the same calls without silent connections"},
		{"client-heap-B/conn, server-heap-B/conn", lower, "", "what a silent connection holds in live objects and stacks, after collections"},
		{"client-rss-B/conn, server-rss-B/conn", lower, "", "its resident memory, files such as the binary left out"},
		{"client-goroutines/conn, server-goroutines/conn", lower, "", "its goroutines"},
		{"client-fds/conn, server-fds/conn", lower, "", "its file descriptors"},
		{"client-idle-cpu-ns/conn-s, server-idle-cpu-ns/conn-s", lower, "", "the CPU time that it takes in a second of silence"},
		{"client-heap-B/stream, server-heap-B/stream", lower, "", "what an open stream holds in live objects and stacks, without what the load generator keeps for it"},
		{"client-rss-B/stream, server-rss-B/stream", lower, "", "its resident memory, files such as the binary left out"},
	}
}

func unitsOfCounts() []Unit {
	return []Unit{
		{"request-wire-B/op, reply-wire-B/op", lower, "", "TCP payload of a call each way, without headers of TCP and IP, and without what was sent again"},
		{"segs/op", lower, "", "TCP segments with payload, both ways"},
		{"client-syscalls/op, server-syscalls/op", lower, "", "system calls that moved bytes over the connection: `read`, `write`, `readv`, `writev`, `send*`, `recv*`"},
		{"client-other-syscalls/op, server-other-syscalls/op", "", nothing, "all other system calls: `futex`, polling, reads that found nothing. They depend on timing"},
		{"client-switches/op, server-switches/op", "", nothing, "context switches of the threads of each side"},
		{"client-spans/op, server-spans/op", "", nothing, "of `with=otel`: spans with a parent"},
		{"client-B/op, client-allocs/op", lower, "", "bytes and objects that the client allocates in a call of `Count`"},
	}
}
