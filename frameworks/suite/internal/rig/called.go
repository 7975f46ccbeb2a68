package rig

import (
	"flag"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// called says what a driver calls. How it is driven is another choice: by callers in a closed
// loop, or at times that a schedule says.
type called struct {
	kind     string // key, as in "workload=db"; "" for Echo
	size     string // key of the payload's size; "" if there is none
	optional string // key that comes after the variant's, as in "/mode=oneway"
	noRetry  string // why it is not made again when it has failed; "" if it is, see retry
	plan.Spec
	prepare preparer
}

// keys joins the keys of the call and of the driver.
func (c called) keys(driver string) string {
	var list []string
	for _, key := range []string{c.kind, c.size, driver} {
		if key != "" {
			list = append(list, key)
		}
	}
	return strings.Join(list, "/")
}

// driven is the leaf of a call that a driver makes. workers bounds the calls in flight,
// unless the call has a number of its own.
func (c called) driven(driver string, workers int) leaf {
	l := leaf{Spec: c.Spec, prepare: c.prepare, noRetry: c.noRetry, what: c.keys("") + c.optional}
	l.Keys, l.Optional = c.keys(driver), c.optional
	if l.Workers == 0 {
		l.Workers = workers
	}
	return l
}

// closed lists the closed loops of calls, by as many callers as each -conc.
func closed(o *plan.Options, calls ...called) (list []plan.Leaf) {
	for _, c := range calls {
		for _, conc := range o.Concs.Values {
			l := c.driven(fmt.Sprintf("conc=%d", conc), conc)
			l.schedule = loadgen.ClosedLoop
			list = append(list, l)
		}
	}
	return list
}

// menu lists what can be called.
type menu struct {
	workloads *workloads
	streams   plan.List[int]     // of -streams
	mixes     plan.List[mixture] // of -mix
}

func newMenu(w *workloads) *menu {
	return &menu{workloads: w, streams: plan.NewList("100", plan.Positive), mixes: plan.NewList("1KiB-99_1MiB-1", readMixture)}
}

func (m *menu) register(fs *flag.FlagSet) {
	fs.Var(&m.streams, "streams", "`numbers` of streams of Rate, Capacity, Load and Stall, where -bench names streams=")
}

// calls lists what a driver calls of a target: Echo of each size. Another call is listed
// only if the -bench pattern names its key, because all calls together take several times
// as long as Echo.
func (m *menu) calls(o *plan.Options, t plan.Target, benchmark string) (list []called) {
	for _, size := range o.Sizes.Values {
		list = append(list, echoOf(t, size))
	}
	if o.Names(benchmark, "msg") {
		list = append(list, benchMessage())
	}
	if o.Names(benchmark, "workload") {
		list = append(list, m.work(o, t)...)
	}
	if o.Names(benchmark, "mix") {
		list = append(list, m.mixed()...)
	}
	if o.Names(benchmark, "streams") && t.Streams {
		list = append(list, m.messages(o, t)...)
	}
	return list
}

// echoOf is Echo of payloads of this size.
func echoOf(t plan.Target, size plan.Size) called {
	return called{size: "size=" + size.String(), Spec: sized(t, size, framework.ActionEcho), prepare: prepareEcho}
}

// sized is the Spec of requests of this size, which ask for an action and a reply.
func sized(t plan.Target, size plan.Size, action string) plan.Spec {
	s := plan.Spec{Size: size.Request, Largest: size.Largest(), Action: action}
	if size.Differs() {
		s.Action = framework.ActionReply(size.Reply, action)
		if t.Kind != framework.Fields {
			s.Lacks = "messages that are bytes alone carry no action, which asks for a reply of another size"
		}
	}
	return s
}

// benchMessage is Message.
func benchMessage() called {
	return called{kind: "msg=bench", Spec: plan.Spec{Size: framework.MessageSize, OwnData: true}, prepare: prepareMessage}
}

// messages lists messages on streams, there and back or one way.
func (m *menu) messages(o *plan.Options, t plan.Target) (list []called) {
	for _, n := range m.streams.Values {
		for _, size := range o.Sizes.Values {
			c := echoOf(t, size)
			if size.Differs() {
				c.Lacks = "messages of these streams come back as they are"
			}
			c.kind, c.Streams, c.Workers, c.Streamed = fmt.Sprintf("streams=%d", n), n, n, true
			c.prepare, c.noRetry = prepareStreamed(false), numbered
			list = append(list, c)
			c.optional, c.prepare = "/mode=oneway", prepareStreamed(true)
			list = append(list, c)
		}
	}
	return list
}

// work lists the calls whose handler does some work. Messages without fields carry no
// action, so they cannot ask for work.
func (m *menu) work(o *plan.Options, t plan.Target) (list []called) {
	if t.Kind != framework.Fields {
		return nil
	}
	for _, name := range m.workloads.chosen() {
		list = append(list, workOf(o, t, name)...)
	}
	return list
}

// workOf is the calls of a workload. Their size is a key only if -size was given, so that
// a line has its name whatever the default of -size is.
func workOf(o *plan.Options, t plan.Target, name string) (list []called) {
	c := called{kind: "workload=" + name, prepare: prepareEcho}
	if !o.Sizes.Given() {
		c.Spec = sized(t, plan.Size{Request: workloadSize, Reply: workloadSize}, framework.ActionWork(name))
		c.Workload = name
		return []called{c}
	}
	for _, size := range o.Sizes.Values {
		c.Spec, c.optional = sized(t, size, framework.ActionWork(name)), "/size="+size.String()
		c.Workload = name
		list = append(list, c)
	}
	return list
}

// mixed lists the calls of each -mix.
func (m *menu) mixed() (list []called) {
	for _, x := range m.mixes.Values {
		list = append(list, called{
			kind: "mix=" + x.text, Spec: plan.Spec{Size: x.small.size, Largest: x.large.size, Mean: x.mean()}, prepare: x.prepare,
			noRetry: "a mix makes each call once",
		})
	}
	return list
}

const workloadSize = 64 // payload in bytes without -size
