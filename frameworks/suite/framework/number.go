package framework

import "reflect"

// NumberedField is the field of the bench message that holds the Number of a call, an int64.
const NumberedField = "Field22"

// numbers is how many numbers there are. From the first to the last each takes as many bytes
// as fillInt, in every codec.
const numbers = 1<<17 - 1

// Number is the number in the bench message of a worker's call, by which the reply of another
// call is noticed. The worker's calls are counted from 1, those that fail as well. It comes
// again after 131,071 calls of the worker.
func Number(worker, call int) int64 {
	const apart = 8191 // a prime, so that workers in step have numbers of their own
	return fillInt + 1 + (int64(worker)*apart+int64(call))%numbers
}

// Messages are the native bench messages of the calls of Message, one for each worker.
type Messages[N any] struct {
	build func() (native N, number func(int64))
	list  []numberedMessage[N]
}

type numberedMessage[N any] struct {
	native   N
	number   func(int64)
	calls    int
	underWay bool
	_        [24]byte // workers on other CPUs write their own cache lines
}

// NewMessages makes filled messages of the struct type T, which has an int64 Field22 or a
// pointer to one.
func NewMessages[T any](workers int) *Messages[*T] {
	return MessagesOf(workers, func() (*T, func(int64)) {
		native := Filled[T](1)[0]
		number := NumberOf(native)
		return native, func(n int64) { *number = n }
	})
}

// MessagesOf makes messages with build, which also returns what sets their numbers.
func MessagesOf[N any](workers int, build func() (native N, number func(int64))) *Messages[N] {
	m := &Messages[N]{build: build, list: make([]numberedMessage[N], workers)}
	for i := range m.list {
		m.list[i].native, m.list[i].number = build()
	}
	return m
}

// Of returns the message of a worker's next call. It is another one than the last if Done
// was not called since, because what a call sends that was given up may still be read.
func (m *Messages[N]) Of(worker int) N {
	w := &m.list[worker]
	if w.underWay {
		w.native, w.number = m.build()
	}
	w.underWay = true
	w.calls++
	w.number(Number(worker, w.calls))
	return w.native
}

// Done says that the worker's call has its reply.
func (m *Messages[N]) Done(worker int) { m.list[worker].underWay = false }

// NumberOf returns where a filled native bench message, given by pointer, has its number; nil
// for a type without one.
func NumberOf(message any) *int64 {
	v := reflect.ValueOf(message).Elem().FieldByName(NumberedField)
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
