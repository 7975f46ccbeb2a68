package rig

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/link"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// lined counts what the line of a network does during a run. Without a line it counts
// nothing.
type lined struct {
	link   *link.Link
	before link.Counts
	counts link.Counts
	err    error
}

func (l *lined) start() {
	if l.link != nil {
		l.before, l.err = l.link.Counts()
	}
}

func (l *lined) stop() {
	if l.link == nil {
		return
	}
	now, err := l.link.Counts()
	l.counts, l.err = now.Since(l.before), cmp.Or(l.err, err)
}

// metrics returns what the line cost and lost.
func (l *lined) metrics(m measured) []loadbench.Metric {
	packets := l.counts.There.Packets + l.counts.Back.Packets
	if l.link == nil || l.err != nil || m.Sent == 0 || packets == 0 {
		return nil
	}
	gone := l.counts.There.Lost + l.counts.There.Dropped + l.counts.Back.Lost + l.counts.Back.Dropped
	return []loadbench.Metric{
		{Value: float64(l.counts.CPU) / float64(m.Sent), Unit: "net-cpu-ns/op"},
		{Value: 100 * share(l.counts.CPU, m.Elapsed, 1), Unit: "net-busy-%"},
		{Value: 100 * float64(gone) / float64(packets), Unit: "net-lost-%"},
	}
}

// mostLate is the part of the packets that may be late without a warning.
const mostLate = .01

// doubts says why the line was not what its name says.
func (l *lined) doubts(m measured) (list []string) {
	if l.link == nil {
		return nil
	}
	if l.err != nil {
		return []string{l.err.Error()}
	}
	packets := l.counts.There.Packets + l.counts.Back.Packets
	if busy := share(l.counts.CPU, m.Elapsed, 1); busy > saturated && m.Elapsed >= enoughTime {
		list = append(list, fmt.Sprintf("the line was the bottleneck: it used %.0f %% of a CPU", 100*busy))
	}
	if l.counts.Unintended > 0 {
		list = append(list, fmt.Sprintf("the line lost %d of %d packets that it was not asked to lose", l.counts.Unintended, packets))
	}
	if late := float64(l.counts.Late) / float64(max(packets, 1)); late > mostLate {
		list = append(list, fmt.Sprintf("the line delivered %.0f %% of its packets more than 1 ms late", 100*late))
	}
	return list
}
