package call

import (
	"bytes"
	"encoding/binary"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// The request of a worker's call differs from those of its calls before, so that a reply to
// one of those is a wrong one.
//
// A payload of up to numberedSize bytes begins with a number, to which each call adds one. It
// is in memory of the worker's own, and its bytes stay as many: numberSize, or all of a
// smaller payload. A payload of a byte is the same again after 256 calls, and an empty one
// always.
//
// Copies of larger payloads would not fit into the CPU's caches, where one array does. They
// are therefore slices of one array that nobody changes, and each call sends another slice:
// the worker's next one of most mostTurns. All begin at different bytes, by which their ends
// differ, and ends are always compared.
const (
	numberedSize = 64 << 10
	mostTurns    = 64
)

// numbered reports whether payloads begin with a number. Those of clients that convert them
// do, however large.
func (q Requests) numbered() bool { return q.Converted || q.Size <= numberedSize }

// Starts is at how many bytes of the array payloads begin.
func (q Requests) Starts() int {
	if q.numbered() {
		return q.Workers
	}
	turns := min(max(q.Size/2/max(q.Workers, 1), 2), mostTurns)
	return turns * q.Workers
}

// turn changes a worker's request between its calls.
type turn struct {
	request *framework.EchoMessage
	array   []byte // of which a payload without a number is a slice; nil for none
	start   int    // of the payload in the array
	workers int    // those of the array
	varied  *varied
	// unsure is set until the reply to a call has been compared. What a call sends that
	// was given up may still be read, and is left as it is.
	unsure bool
}

// next changes the request for the next call, in place unless the last call is not over.
func (t *turn) next() {
	switch {
	case t.varied != nil:
		t.vary()
	case t.array != nil:
		t.move(len(t.request.Msg))
	case t.unsure:
		t.request.Msg = bytes.Clone(t.request.Msg)
		increment(t.request.Msg)
	default:
		increment(t.request.Msg)
	}
	t.unsure = true
}

// move moves on to the worker's next n bytes of the array.
func (t *turn) move(n int) {
	if t.start += t.workers; t.start+n > len(t.array) {
		t.start %= t.workers
	}
	t.request.Msg = t.array[t.start : t.start+n : t.start+n]
}

// increment adds one to the number that a payload begins with.
func increment(b []byte) {
	if len(b) >= NumberSize {
		binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+1)
		return
	}
	for i := range b {
		if b[i]++; b[i] != 0 {
			return
		}
	}
}

// turns returns the requests of q, and what changes them.
func (q Requests) turns() (requests []framework.EchoMessage, turns []turn) {
	if q.Sizes != nil {
		return q.variedTurns()
	}
	array := q.Payloads()
	requests, turns = q.requestsOf(array), make([]turn, q.Workers)
	if q.numbered() {
		array = nil
	}
	for i := range turns {
		turns[i] = turn{request: &requests[i], array: array, start: i, workers: q.Workers}
	}
	return requests, turns
}
