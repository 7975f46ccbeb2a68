package message

import "reflect"

// numberedField is the field of the bench message that holds the Number of a call, an int64.
const numberedField = "Field22"

// numbers is how many numbers there are. From the first to the last each takes as many bytes
// as fillInt, in every codec.
const numbers = 1<<17 - 1

// Number is the number in the message of a worker's call, by which the reply to another
// call is noticed: from 100,001 to 231,071, which take as many bytes in each codec. Workers are
// numbered from 0, and the worker's calls from 1, those that fail as well. It comes
// again after 131,071 calls of the worker.
func Number(worker, call int) int64 {
	const apart = 8191 // a prime, so that workers in step have numbers of their own
	return fillInt + 1 + (int64(worker)*apart+int64(call))%numbers
}

// Requests are the native requests of the calls of Message: NewRequests, RequestsOf and
// Exchange.NewRequests make them. Each worker has some, which it sends in turn. Workers may
// use Requests at once.
type Requests[N any] struct {
	build func(worker, turn int) (native N, number func(int64))
	list  []numberedRequests[N] // by worker
}

type numberedRequests[N any] struct {
	turns    []numberedRequest[N]
	calls    int
	underWay bool
	_        [24]byte // workers on other CPUs write their own cache lines
}

type numberedRequest[N any] struct {
	native N
	number func(int64)
}

// NewRequests makes a filled message of the struct type T for each worker. T has an int64
// Field22 or a pointer to one.
func NewRequests[T any](workers int) *Requests[*T] {
	return RequestsOf(workers, func() (*T, func(int64)) {
		native := Filled[T](1)[0]
		number := NumberOf(native)
		return native, func(n int64) { *number = n }
	})
}

// RequestsOf makes a message for each worker with build, which also returns what sets its
// number.
func RequestsOf[N any](workers int, build func() (native N, number func(int64))) *Requests[N] {
	return requestsInTurn(workers, 1, func(int, int) (N, func(int64)) { return build() })
}

// requestsInTurn makes this many messages for each worker.
func requestsInTurn[N any](workers, turns int, build func(worker, turn int) (N, func(int64))) *Requests[N] {
	m := &Requests[N]{build: build, list: make([]numberedRequests[N], workers)}
	for i := range m.list {
		m.list[i].turns = make([]numberedRequest[N], turns)
		for turn := range turns {
			m.renew(i, turn)
		}
	}
	return m
}

func (m *Requests[N]) renew(worker, turn int) {
	native, number := m.build(worker, turn)
	m.list[worker].turns[turn] = numberedRequest[N]{native, number}
}

// Of returns the message of a worker's next call. If Done was not called since the last one,
// it is not sent again, because what a call sends that was given up may still be read.
func (m *Requests[N]) Of(worker int) N {
	w := &m.list[worker]
	if w.underWay {
		m.renew(worker, w.turn())
	}
	w.underWay = true
	w.calls++
	next := &w.turns[w.turn()]
	next.number(Number(worker, w.calls))
	return next.native
}

// turn is the place of the message of the last call.
func (w *numberedRequests[N]) turn() int {
	if len(w.turns) == 1 {
		return 0
	}
	return turnOf(w.calls, len(w.turns))
}

// turnOf is the place of the message of a worker's call, which is counted from 1.
func turnOf(call, turns int) int { return (call - 1) % turns }

// Done says that the worker's call has its reply.
func (m *Requests[N]) Done(worker int) { m.list[worker].underWay = false }

// NumberOf returns where a filled native bench message, given by pointer, has its number; nil
// for a type without one.
func NumberOf(message any) *int64 {
	v := reflect.ValueOf(message).Elem().FieldByName(numberedField)
	if v.IsValid() && v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() || v.Kind() != reflect.Int64 {
		return nil
	}
	return v.Addr().Interface().(*int64)
}

// Numbered is a Structured that has its number without being converted.
type Numbered interface {
	Structured
	// Number returns field22, 0 if it is absent.
	Number() int64
}
