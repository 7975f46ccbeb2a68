package message

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

type order struct {
	ID    int64
	Items []string
}

type receipt struct {
	ID    int64
	Total float64
}

func orders() []*order { return []*order{{1, []string{"a"}}, {2, []string{"b"}}, {3, nil}} }

func orderID(m *order) *int64 { return &m.ID }

// sales have a reply of another type.
func sales(marked bool) Exchange[order, receipt] {
	of := Own("order", orders(), nil, orderID)
	x := Exchange[order, receipt]{
		Name: of.Name, Requests: of.Requests, Replies: []*receipt{{Total: 1}, {Total: 2}}, Clone: of.Clone,
		Share: func(dst, src *receipt) { *dst = *src },
		Equal: func(got, want *receipt) bool { return *got == *want },
	}
	if marked {
		x.Request, x.Reply = of.Request, Mark[receipt]{func(m *receipt, n int64) { m.ID = n }, func(m *receipt) int64 { return m.ID }}
	}
	return x
}

// TestExchanges: every reply that a handler makes is right, whichever way it makes it.
func TestExchanges(t *testing.T) {
	own := func(mark func(*order) *int64) func(t *testing.T) {
		return func(t *testing.T) { exchange(t, Own("order", orders(), nil, mark)) }
	}
	for about, run := range map[string]func(t *testing.T){
		"a request is its own reply":    own(orderID),
		"without a number":              own(nil),
		"a reply of another type":       func(t *testing.T) { exchange(t, sales(true)) },
		"such a reply without a number": func(t *testing.T) { exchange(t, sales(false)) },
	} {
		t.Run(about, run)
	}
}

func exchange[Q, R any](t *testing.T, x Exchange[Q, R]) {
	const workers = 3
	assert.NoError(t, x.Sent().Fault)
	requests, compare := x.NewRequests(workers), x.Sent().Comparer(workers)
	for call := 1; call < 10; call++ {
		for worker := range workers {
			filled := new(R)
			x.Fill(requests.Of(worker), filled)
			assert.NoError(t, compare(worker, call, filled, true))
			assert.NoError(t, compare(worker, call, x.Handle(requests.list[worker].turns[turnOf(call, len(x.Requests))].native), true))
			requests.Done(worker)
		}
	}
}

// TestWrongRepliesOfExchanges are noticed, those of other calls as far as they can be.
func TestWrongRepliesOfExchanges(t *testing.T) {
	marked, unmarked, other := Own("order", orders(), nil, orderID), Own("order", orders(), nil, nil), sales(true)
	stale := marked.Clone(orders()[0])
	stale.ID = Number(0, 2)
	damaged := marked.Clone(orders()[0])
	damaged.ID, damaged.Items = Number(0, 1), []string{"x"}
	for _, c := range []struct {
		about string
		sent  *Sent
		reply any
		whole bool
		want  string
	}{
		{"the number of another call", marked.Sent(), stale, false, "its number is that of another call"},
		{"another field, when all is compared", marked.Sent(), damaged, true, "order is not the same"},
		{"another field, when the number alone is compared", marked.Sent(), damaged, false, ""},
		{"another sample", unmarked.Sent(), orders()[1], true, "order is not the same"},
		{"the same contents of another call, without a number", unmarked.Sent(), orders()[0], true, ""},
		{"nothing", marked.Sent(), (*order)(nil), false, "it is a *message.order, want a *message.order"},
		{"another type", other.Sent(), orders()[0], false, "it is a *message.order, want a *message.receipt"},
	} {
		t.Run(c.about, func(t *testing.T) {
			err := c.sent.Comparer(1)(0, 1, c.reply, c.whole)
			if c.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.EqualError(t, err, c.want)
		})
	}
	assert.False(t, marked.Sent().Unmarked)
	assert.True(t, unmarked.Sent().Unmarked)
}

// TestExchangesThatCannotBe say why.
func TestExchangesThatCannotBe(t *testing.T) {
	with := func(change func(*Exchange[order, receipt])) error {
		x := sales(true)
		change(&x)
		return x.Sent().Fault
	}
	for want, err := range map[string]error{
		"msg=a b: a name consists of letters, digits, - and _":                                            Own("a b", orders(), nil, nil).Sent().Fault,
		"msg=: a name consists of letters, digits, - and _":                                               Own("", orders(), nil, nil).Sent().Fault,
		"msg=order: there are no requests to send":                                                        Own[order]("order", nil, nil, nil).Sent().Fault,
		"msg=order: a sample is nil":                                                                      Own("order", []*order{nil}, nil, nil).Sent().Fault,
		"msg=order: a server cannot send a message.order back as a message.receipt: there are no replies": with(func(x *Exchange[order, receipt]) { x.Replies = nil }),
		"msg=order: Clone, Share and Equal must be there":                                                 with(func(x *Exchange[order, receipt]) { x.Equal = nil }),
		"msg=order: no file":                                                                              with(func(x *Exchange[order, receipt]) { x.Fault = errors.New("no file") }),
	} {
		assert.EqualError(t, err, want)
	}
}

// TestWorkersSendSamplesInTurn: all samples are sent, and workers have copies of their own.
func TestWorkersSendSamplesInTurn(t *testing.T) {
	x := Own("order", orders(), nil, orderID)
	m := x.NewRequests(2)
	sent := map[string]bool{}
	for range 3 {
		got := m.Of(0)
		sent[got.first()] = true
		m.Done(0)
	}
	assert.Len(t, sent, 3)
	assert.NotSame(t, m.Of(0), m.Of(1))
	assert.Equal(t, orders(), x.Requests, "samples stay as they are")
	assert.Equal(t, 1, x.turns(1<<20), "a worker has one at least")
	assert.Equal(t, 3, x.turns(0))
}

// first is the first item; "" for none.
func (m *order) first() string {
	if len(m.Items) == 0 {
		return ""
	}
	return m.Items[0]
}

// TestAMessageInTurnOfACallGivenUpIsMadeAnew when its turn comes again.
func TestAMessageInTurnOfACallGivenUpIsMadeAnew(t *testing.T) {
	m := Own("order", orders(), nil, orderID).NewRequests(1)
	given := m.Of(0)
	for range 3 {
		m.Of(0)
		m.Done(0)
	}
	assert.Equal(t, Number(0, 1), given.ID, "it may still be read")
	assert.Equal(t, Number(0, 4), m.list[0].turns[0].native.ID)
}
