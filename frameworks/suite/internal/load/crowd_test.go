package load

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/files"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// crowd is a run of many ranks. This process is the first, the others are in one process, and
// the meeting is in another.
type crowd struct {
	ranks           int
	meeting, others Child
	addr            string // of the meeting
	rank            *remote.Rank
	followers       []*remote.Other
	clients         *Clients
}

// filesOfRank is how many files of the meeting a rank may have open: it waits for orders and
// attends, and rank 0 waits for it on a connection or two.
const filesOfRank = 4

// newCrowd starts the processes.
func newCrowd(tb testing.TB, ranks int) *crowd {
	tb.Helper()
	needed := filesOfRank*ranks + 100
	if most := files.RaiseLimit(needed); most > 0 && most < needed {
		tb.Skipf("%d files may be open, too few for the connections of %d ranks", most, ranks)
	}
	c := &crowd{ranks: ranks, meeting: newSimulated(tb), others: newSimulated(tb)}
	require.NoError(tb, c.meeting.Ask("/serve", struct{}{}, &c.addr))
	return c
}

func newSimulated(tb testing.TB) Child {
	tb.Helper()
	c, err := startChild(tb.Context(), new(Agents), 0, "")
	require.NoError(tb, err)
	tb.Cleanup(func() { c.Close() })
	return c
}

// meet has all ranks come at once.
func (c *crowd) meet(tb testing.TB) {
	tb.Helper()
	came := make(chan error, 1)
	go func() { came <- c.others.Ask("/come", comeRequest{c.addr, c.ranks}, &struct{}{}) }()
	var err error
	c.rank, err = comeTo(context.Background(), c.addr, 0, c.ranks)
	require.NoError(tb, err)
	tb.Cleanup(func() { c.rank.End("") })
	roster, err := c.rank.Gather(c.ranks, patience, func(int) {})
	require.NoError(tb, err)
	require.NoError(tb, <-came)
	c.followers = c.rank.Others(roster)
}

// prepare gives all the order of a case, which is as long as a real one.
func (c *crowd) prepare(tb testing.TB) {
	tb.Helper()
	flags := map[string]string{}
	for i := range 50 {
		flags[fmt.Sprint("flag-of-the-suite-", i)] = "value"
	}
	s := &Agents{Clients: c.ranks, Flags: flags, Certs: &layer.Certificates{Authority: make([]byte, 2048)}, Meeting: c.rank, Others: func() ([]*remote.Other, error) { return c.followers, nil }}
	var err error
	c.clients, err = StartClients(tb.Context(), s, plan.Case{Benchmark: new(plan.Benchmark)}, []string{"127.0.0.1:1"})
	require.NoError(tb, err)
	tb.Cleanup(func() { c.clients.Close() })
}

// line is what a line of results took.
type line struct {
	sum     Measured
	late    time.Duration // from when all should have started to the last start
	spread  time.Duration // from the first start to the last
	replied time.Duration // from the end of the last call to the last reply
	merged  time.Duration // from there to the sum of all
}

// callsTake is for how long ranks seem to make calls.
const callsTake = 500 * time.Millisecond

// measure has all ranks make the calls of a line.
func (c *crowd) measure(tb testing.TB) (l line) {
	tb.Helper()
	q := RunRequest{At: time.Now().Add(c.clients.Ahead()), Duration: callsTake}
	replies, err := c.clients.Calls(q, callsOfRank*int64(c.ranks), func() {})
	require.NoError(tb, err)
	all := time.Now()
	l.sum, err = Merge(replies)
	l.merged = time.Since(all)
	require.NoError(tb, err)
	byStart := func(a, b RunReply) int { return a.Began.Compare(b.Began) }
	last := slices.MaxFunc(replies, byStart).Began
	l.late, l.spread, l.replied = last.Sub(q.At), last.Sub(slices.MinFunc(replies, byStart).Began), all.Sub(last)-callsTake
	return l
}
