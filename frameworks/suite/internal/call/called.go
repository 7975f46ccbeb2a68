package call

import (
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/handler"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/ask"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
	"github.com/rpcbench/rpcbench/loadgen"
)

// Called says what a driver calls. How it is driven is another choice: by callers in a closed
// loop, or at times that a schedule says.
type Called struct {
	Kind     string // key, as in "workload=db"; "" for Echo
	Size     string // key of the payload's size; "" if there is none
	optional string // key that comes after the variant's, as in "/mode=oneway"
	noRetry  string // why it is not made again when it has failed; "" if it is, see retry
	// Each is how many calls an arrival of a schedule makes; 0: 1.
	Each     int
	patience time.Duration // beside -watchdog
	plan.Spec
	prepare preparer
}

// keys joins the keys of the call and of the driver.
func (c Called) keys(driver string) string {
	var list []string
	for _, key := range []string{c.Kind, c.Size, driver} {
		if key != "" {
			list = append(list, key)
		}
	}
	return strings.Join(list, "/")
}

// Driven is the leaf of a call that a driver makes. workers bounds the calls in flight,
// unless the call has a number of its own.
func (c Called) Driven(driver string, workers int) Leaf {
	l := Leaf{Spec: c.Spec, Prepare: c.prepare, NoRetry: c.noRetry, Patience: c.patience, What: c.keys("") + c.optional}
	l.Keys, l.Optional = c.keys(driver), c.optional
	if l.Workers == 0 {
		l.Workers = workers
	}
	return l
}

// ClosedLoops lists the closed loops of calls, by as many callers as each -conc.
func ClosedLoops(o *plan.Options, calls ...Called) (list []plan.Leaf) {
	for _, c := range calls {
		for _, conc := range o.Concs.Values {
			l := c.Driven(fmt.Sprintf("conc=%d", conc), conc)
			l.Schedule = loadgen.ClosedLoop
			list = append(list, l)
		}
	}
	return list
}

// Menu lists what can be called.
type Menu struct {
	Workloads *work.Workloads
	streams   plan.List[int] // of -streams
	pushes    pushes
	Mixes     plan.List[mixture] // of -mix
}

// NewMenu returns what can be called, with the defaults of its flags. w are the workloads.
func NewMenu(w *work.Workloads) *Menu {
	return &Menu{Workloads: w, streams: plan.NewList("100", value.Positive), pushes: newPushes(), Mixes: plan.NewList("1KiB-99_1MiB-1", readMixture)}
}

// Register registers the flags -streams and -messages.
func (m *Menu) Register(fs *flag.FlagSet) {
	m.pushes.register(fs)
	fs.Var(&m.streams, "streams", "`numbers` of streams of Rate, Capacity, Load and Stall, where -bench names streams=")
}

// Calls lists what a driver calls of a target: Echo of each size. Another call is listed
// only if the -bench pattern names its key, because all calls together take several times
// as long as Echo. With -msg the message alone is called.
func (m *Menu) Calls(o *plan.Options, t plan.Target, benchmark string) (list []Called) {
	if o.Message != plan.BenchMessage {
		return []Called{MessageOf(t)}
	}
	for _, size := range o.Sizes.Values {
		list = append(list, EchoOf(t, size))
	}
	if o.Names(benchmark, "msg") {
		list = append(list, MessageOf(t))
	}
	if o.Names(benchmark, "workload") {
		list = append(list, m.Work(o, t)...)
	}
	if o.Names(benchmark, "mix") {
		list = append(list, m.Mixed()...)
	}
	if o.Names(benchmark, "streams") && t.Streams {
		list = append(list, m.messages(o, t)...)
	}
	if benchmark == "Rate" { // other drivers take the calls of a schedule for its arrivals
		list = append(list, m.pushed(o, t, benchmark)...)
	}
	return list
}

// pushed lists the messages on streams that a server sends by itself.
func (m *Menu) pushed(o *plan.Options, t plan.Target, benchmark string) (list []Called) {
	for _, n := range m.streams.Values {
		for _, size := range o.Sizes.Values {
			list = append(list, m.pushes.of(o, t, benchmark, size, n)...)
		}
	}
	return list
}

// EchoOf is Echo of payloads of this size.
func EchoOf(t plan.Target, size plan.Size) Called {
	return Called{Size: "size=" + size.String(), Spec: sized(t, size, handler.ActionEcho), prepare: prepareEcho, noRetry: onceOf(size)}
}

// sized is the Spec of requests of this size, which ask for an action and a reply.
func sized(t plan.Target, size plan.Size, action string) plan.Spec {
	s := plan.Spec{Size: size.Request, Largest: size.Largest(), Sizes: size.Spread, Action: action}
	switch {
	case size.Varies():
		s.Mean = size.Request
		if t.Converts {
			s.Lacks = fmt.Sprintf("codec=%s converts payloads before the calls, which then have one size", t.Codec)
		}
	case size.Differs():
		s.Action = ask.Reply(size.Reply, action)
		if t.Kind != framework.Fields {
			s.Lacks = "messages that are bytes alone carry no action, which asks for a reply of another size"
		}
	}
	return s
}

// onceOf says why calls of sizes that vary are made once; "" for those of one size.
func onceOf(size plan.Size) string {
	if size.Varies() {
		return "the next call of the sequence has another size"
	}
	return ""
}

// messageSize is the size in bytes of the bench message in protobuf. Other benchmarks name the
// message by this size.
const messageSize = 581

// MessageOf is Message of the bench message, or of the messages that the target has instead.
func MessageOf(t plan.Target) Called {
	if t.Sent == nil {
		return Called{Kind: "msg=" + plan.BenchMessage, Spec: plan.Spec{Size: messageSize, OwnData: true}, prepare: prepareMessage(nil)}
	}
	s := plan.Spec{Size: t.Sent.Size, Largest: t.Sent.Largest, Cycle: t.Sent.Samples, OwnData: true}
	return Called{Kind: "msg=" + t.Sent.Name, Spec: s, prepare: prepareMessage(t.Sent)}
}

// messages lists messages on streams, there and back or one way.
func (m *Menu) messages(o *plan.Options, t plan.Target) (list []Called) {
	for _, n := range m.streams.Values {
		for _, size := range o.Sizes.Values {
			c := EchoOf(t, size)
			switch {
			case size.Differs():
				c.Lacks = "messages of these streams come back as they are"
			case size.Varies():
				c.Lacks = "messages of these streams have one size"
			}
			c.Kind, c.Streams, c.Workers, c.Streamed = fmt.Sprintf("streams=%d", n), n, n, true
			c.prepare, c.noRetry = prepareStreamed(false), Numbered
			list = append(list, c)
			c.optional, c.prepare = "/mode=oneway", prepareStreamed(true)
			list = append(list, c)
		}
	}
	return list
}

// Work lists the calls whose handler does some work. Messages without fields carry no
// action, so they cannot ask for work.
func (m *Menu) Work(o *plan.Options, t plan.Target) (list []Called) {
	return WorkOf(o, t, m.Workloads.Chosen()...)
}

// WorkOf is Work with these workloads.
func WorkOf(o *plan.Options, t plan.Target, names ...string) (list []Called) {
	if t.Kind != framework.Fields {
		return nil
	}
	for _, name := range names {
		list = append(list, workOf(o, t, name)...)
	}
	return list
}

// workOf is the calls of a workload. Their size is a key only if -size was given, so that
// a line has its name whatever the default of -size is.
func workOf(o *plan.Options, t plan.Target, name string) (list []Called) {
	c := Called{Kind: "workload=" + name, prepare: prepareEcho}
	if !o.Sizes.Given() {
		c.Spec = sized(t, plan.Size{Request: workloadSize, Reply: workloadSize}, ask.Work(name))
		c.Workload = name
		return []Called{c}
	}
	for _, size := range o.Sizes.Values {
		c.Spec, c.optional, c.Size = sized(t, size, ask.Work(name)), "/size="+size.String(), ""
		if size.Varies() { // its text may end with -10, which at the end of a name is a number of CPUs
			c.optional, c.Size = "", "size="+size.String()
		}
		c.Workload, c.noRetry = name, onceOf(size)
		list = append(list, c)
	}
	return list
}

// Mixed lists the calls of each -mix.
func (m *Menu) Mixed() (list []Called) {
	for _, x := range m.Mixes.Values {
		list = append(list, Called{
			Kind: "mix=" + x.text, Spec: plan.Spec{Size: x.small.size, Largest: x.large.size, Cost: plan.Cost{Mean: x.mean()}}, prepare: x.prepare,
			noRetry: "a mix makes each call once",
		})
	}
	return list
}

const workloadSize = 64 // payload in bytes without -size
