package rig

import (
	"flag"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen"
)

// called is what is called. How it is driven is another choice: by callers in a closed
// loop, or at times that a schedule says.
type called struct {
	kind     string // key, as in "workload=db"; "" for Echo
	size     string // key of the payload's size; "" if there is none
	optional string // key that comes after the variant's, as in "/mode=oneway"
	plan.Spec
	prepare preparer
}

// keys are those of the call, and after them those of the driver.
func (c called) keys(driver string) string {
	var list []string
	for _, key := range []string{c.kind, c.size, driver} {
		if key != "" {
			list = append(list, key)
		}
	}
	return strings.Join(list, "/")
}

// driven is the leaf of a call that a driver makes, with at most so many in flight.
func (c called) driven(driver string, workers int) leaf {
	l := leaf{Spec: c.Spec, prepare: c.prepare, what: c.keys("") + c.optional}
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
	streams   plan.List[int] // of -streams
}

func newMenu(w *workloads) *menu {
	return &menu{workloads: w, streams: plan.NewList("100", plan.Positive)}
}

func (m *menu) register(fs *flag.FlagSet) {
	fs.Var(&m.streams, "streams", "`numbers` of streams of Rate, Capacity, Load and Stall, where -bench names streams=")
}

// calls lists what a driver calls of a target: Echo of each size, and what else the
// -bench pattern names a key of. Without that, every benchmark of a driver would take
// several times as long as Echo alone.
func (m *menu) calls(o *plan.Options, t plan.Target, benchmark string) (list []called) {
	for _, size := range o.Sizes.Values {
		list = append(list, echoOf(size))
	}
	if o.Names(benchmark, "msg=") {
		list = append(list, benchMessage())
	}
	if o.Names(benchmark, "workload=") {
		list = append(list, m.work(t)...)
	}
	if o.Names(benchmark, "streams=") && t.Streams {
		list = append(list, m.messages(o)...)
	}
	return list
}

// echoOf is Echo of a payload of this size.
func echoOf(size int) called {
	return called{size: "size=" + plan.FormatSize(size), Spec: plan.Spec{Size: size}, prepare: prepareEcho}
}

// benchMessage is Message.
func benchMessage() called {
	return called{kind: "msg=bench", Spec: plan.Spec{Size: framework.MessageSize}, prepare: prepareMessage}
}

// messages lists messages on streams, there and back or one way.
func (m *menu) messages(o *plan.Options) (list []called) {
	for _, n := range m.streams.Values {
		for _, size := range o.Sizes.Values {
			c := echoOf(size)
			c.kind, c.Streams, c.Workers = fmt.Sprintf("streams=%d", n), n, n
			c.prepare = prepareStreamed(false)
			list = append(list, c)
			c.optional, c.prepare = "/mode=oneway", prepareStreamed(true)
			list = append(list, c)
		}
	}
	return list
}

// work lists the calls whose handler does some work. Messages without fields carry no
// action, so they cannot ask for work.
func (m *menu) work(t plan.Target) (list []called) {
	if t.Kind != framework.Fields {
		return nil
	}
	for _, name := range m.workloads.chosen() {
		list = append(list, called{
			kind: "workload=" + name, Spec: plan.Spec{Size: workloadSize, Workload: name}, prepare: prepareWork(name),
		})
	}
	return list
}
