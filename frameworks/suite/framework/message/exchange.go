package message

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
)

// Exchange is what Message sends where it is not the bench message: requests of type Q, and
// replies of type R. Own makes one of any Go type.
type Exchange[Q, R any] struct {
	// Name is the value of the key msg=, as in "Order".
	Name string
	// Requests are samples, one at least. A worker sends copies of some in turn.
	Requests []*Q
	// Replies are samples, which the server sends in turn; nil: it sends the request, and R
	// is Q.
	Replies []*R
	// Size is the mean size of an encoded request in bytes, ReplySize that of a reply, and
	// Largest the size of the largest of both; 0 if they are not known.
	Size, ReplySize, Largest int
	// Clone returns a deep copy of a request.
	Clone func(*Q) *Q
	// Share makes an empty reply the same as src without a deep copy.
	Share func(dst, src *R)
	// Equal reports whether a reply is the right one.
	Equal func(got, want *R) bool
	// Request and Reply are the fields that hold the Number of a call. The server copies
	// the one to the other. Without them the reply to another call cannot be told from the
	// right one if it has the same contents.
	Request Mark[Q]
	Reply   Mark[R]
	// Fault is why nothing can be sent; nil if it can. It is told before anything runs.
	Fault error
}

// Mark is a field of a message. A Mark without functions stands for none.
type Mark[M any] struct {
	// Set sets the field to a Number. The encoded message has the same size with each
	// Number. It does not change memory that another message shares.
	Set func(*M, int64)
	// Get returns the Number, or another number if the field holds none.
	Get func(*M) int64
}

// Own is the exchange of a Go type whose server sends the request back. Samples are list.
// equal reports whether two are the same; nil: reflect.DeepEqual. mark returns which field of a
// struct has the Number, and not one behind a pointer; nil: there is none. Requests are copies
// of the structs in list, which share what these point to.
func Own[T any](name string, list []*T, equal func(got, want *T) bool, mark func(*T) *int64) Exchange[T, T] {
	x := Exchange[T, T]{
		Name: name, Requests: list, Equal: equal,
		Clone: func(m *T) *T { return new(*m) },
		Share: func(dst, src *T) { *dst = *src },
	}
	if equal == nil {
		x.Equal = func(got, want *T) bool { return reflect.DeepEqual(got, want) }
	}
	if mark != nil {
		x.Request = Mark[T]{func(m *T, n int64) { *mark(m) = n }, func(m *T) int64 { return *mark(m) }}
		x.Reply = x.Request
	}
	return x
}

// Sent describes the messages of an Exchange to the suite.
type Sent struct {
	Name string // the value of msg=
	// Size, ReplySize and Largest are those of the Exchange.
	Size, ReplySize, Largest int
	// Samples is how many requests a single worker sends in turn.
	Samples int
	// Unmarked says that the reply to another call with the same contents is not noticed.
	Unmarked bool
	// Fault says why nothing can be sent; nil if it can.
	Fault error
	// Comparer returns a function for the replies to the calls of workers. It returns an
	// error if a reply is a wrong one. The calls of a worker are counted from 1. It compares
	// the Number of every reply, and with whole all of the reply.
	Comparer func(workers int) func(worker, call int, reply any, whole bool) error
}

// Sent describes the exchange.
func (x Exchange[Q, R]) Sent() *Sent {
	return &Sent{Name: x.Name, Size: x.Size, ReplySize: x.ReplySize, Largest: x.Largest, Samples: x.turns(1), Unmarked: !x.marked(), Fault: x.fault(), Comparer: x.comparer}
}

// fault returns why the exchange cannot be used.
func (x Exchange[Q, R]) fault() error {
	switch {
	case x.Fault != nil:
		return fmt.Errorf("msg=%s: %w", x.Name, x.Fault)
	case x.Name == "" || strings.ContainsFunc(x.Name, unfit):
		return fmt.Errorf("msg=%s: a name consists of letters, digits, - and _", x.Name)
	case len(x.Requests) == 0:
		return fmt.Errorf("msg=%s: there are no requests to send", x.Name)
	case slices.Contains(x.Requests, nil) || slices.Contains(x.Replies, nil):
		return fmt.Errorf("msg=%s: a sample is nil", x.Name)
	case x.Replies == nil && reflect.TypeFor[Q]() != reflect.TypeFor[R]():
		return fmt.Errorf("msg=%s: a server cannot send a %v back as a %v: there are no replies", x.Name, reflect.TypeFor[Q](), reflect.TypeFor[R]())
	case x.Clone == nil || x.Share == nil || x.Equal == nil:
		return fmt.Errorf("msg=%s: Clone, Share and Equal must be there", x.Name)
	}
	return nil
}

// unfit reports whether a rune cannot be in a key's value.
func unfit(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

func (x Exchange[Q, R]) marked() bool { return x.Request.Set != nil && x.Reply.Get != nil }

// mostRequests and mostBytes bound the copies of samples that all workers have together. They
// are in the client's memory, and too many would have its collector pay for them.
const (
	mostRequests = 1024
	mostBytes    = 64 << 20
)

// turns is how many samples each of these workers sends in turn, one at least.
func (x Exchange[Q, R]) turns(workers int) int {
	most := min(mostRequests, mostBytes/max(x.Size, 1))
	return max(1, min(len(x.Requests), most/max(workers, 1)))
}

// sample is the place of a sample in Requests. A worker begins where the one before it ends.
func (x Exchange[Q, R]) sample(worker, turn, turns int) int {
	return (worker*turns + turn) % len(x.Requests)
}

// NewRequests makes the requests of workers: copies of the samples.
func (x Exchange[Q, R]) NewRequests(workers int) *Requests[*Q] {
	turns := x.turns(workers)
	return requestsInTurn(workers, turns, func(worker, turn int) (*Q, func(int64)) {
		native := x.Clone(x.Requests[x.sample(worker, turn, turns)])
		if x.Request.Set == nil {
			return native, func(int64) {}
		}
		return native, func(n int64) { x.Request.Set(native, n) }
	})
}

// Handle makes the reply to a request: the request itself, or a copy of a sample that shares
// its memory.
func (x Exchange[Q, R]) Handle(req *Q) *R {
	if x.Replies == nil {
		return any(req).(*R)
	}
	reply := new(R)
	x.Fill(req, reply)
	return reply
}

// Fill makes the reply to a request in an empty reply.
func (x Exchange[Q, R]) Fill(req *Q, reply *R) {
	switch {
	case x.Replies == nil:
		x.Share(reply, any(req).(*R))
	case x.marked():
		n := x.Request.Get(req)
		x.Share(reply, x.replyTo(n))
		x.Reply.Set(reply, n)
	default:
		x.Share(reply, x.Replies[rand.IntN(len(x.Replies))])
	}
}

// replyTo is the sample of the reply to the call with this Number, which a stranger may have
// sent.
func (x Exchange[Q, R]) replyTo(number int64) *R {
	return x.Replies[uint64(number)%uint64(len(x.Replies))]
}

// errStale says that a reply is that to another call.
var errStale = errors.New("its number is that of another call")

func (x Exchange[Q, R]) comparer(workers int) func(worker, call int, reply any, whole bool) error {
	turns := x.turns(workers)
	return func(worker, call int, reply any, whole bool) error {
		got, ok := reply.(*R)
		if !ok || got == nil {
			return fmt.Errorf("it is a %T, want a %v", reply, reflect.TypeFor[*R]())
		}
		if x.marked() && x.Reply.Get(got) != Number(worker, call) {
			return errStale
		}
		if whole && !x.right(got, x.sample(worker, turnOf(call, turns), turns), Number(worker, call)) {
			return fmt.Errorf("%s is not the same", x.Name)
		}
		return nil
	}
}

// right reports whether a reply is the right one to a sample of the requests.
func (x Exchange[Q, R]) right(got *R, sample int, number int64) bool {
	switch {
	case x.Replies == nil:
		want := x.Clone(x.Requests[sample])
		if x.marked() {
			x.Request.Set(want, number)
		}
		return x.Equal(got, any(want).(*R))
	case x.marked():
		want := new(R)
		x.Share(want, x.replyTo(number))
		x.Reply.Set(want, number)
		return x.Equal(got, want)
	}
	return slices.ContainsFunc(x.Replies, func(want *R) bool { return x.Equal(got, want) })
}
