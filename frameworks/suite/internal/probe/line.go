package probe

import (
	"cmp"
	"fmt"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/link"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/load"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Line counts what the line of a network does during a run. Without a line it counts
// nothing.
type Line struct {
	Link   *link.Link
	before link.Counts
	counts link.Counts
	err    error
}

func (l *Line) start() {
	if l.Link != nil {
		l.before, l.err = l.Link.Counts()
	}
}

func (l *Line) stop() {
	if l.Link == nil {
		return
	}
	now, err := l.Link.Counts()
	l.counts, l.err = now.Since(l.before), cmp.Or(l.err, err)
}

// metrics returns what the line cost and lost.
func (l *Line) metrics(m load.Measured) []loadbench.Metric {
	packets := l.counts.There.Packets + l.counts.Back.Packets
	if l.Link == nil || l.err != nil || m.Sent == 0 || packets == 0 {
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
func (l *Line) doubts(m load.Measured) (list []string) {
	if l.Link == nil {
		return nil
	}
	if l.err != nil {
		return []string{l.err.Error()}
	}
	packets := l.counts.There.Packets + l.counts.Back.Packets
	if busy := share(l.counts.CPU, m.Elapsed, 1); busy > saturated && m.Elapsed >= EnoughTime {
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
