package link

import "time"

// queue holds packets until they are due, in a ring that grows. Packets leave in the order
// in which they came.
type queue struct {
	slot    int // bytes of the largest packet
	due     []time.Duration
	size    []int
	data    []byte
	head, n int
}

func newQueue(slot int) *queue {
	q := &queue{slot: slot}
	q.grow()
	return q
}

// push keeps a copy of a packet.
func (q *queue) push(due time.Duration, packet []byte) {
	if q.n == len(q.due) {
		q.grow()
	}
	at := (q.head + q.n) % len(q.due)
	q.due[at], q.size[at] = due, copy(q.data[at*q.slot:(at+1)*q.slot], packet)
	q.n++
}

// first is when the first packet is due; false if there is none.
func (q *queue) first() (due time.Duration, ok bool) {
	if q.n == 0 {
		return 0, false
	}
	return q.due[q.head], true
}

// pop appends the first packet to buf.
func (q *queue) pop(buf []byte) []byte {
	at := q.head
	q.head = (at + 1) % len(q.due)
	q.n--
	return append(buf, q.data[at*q.slot:at*q.slot+q.size[at]]...)
}

// grow doubles the ring.
func (q *queue) grow() {
	const least = 1024
	room := max(2*len(q.due), least)
	next := &queue{slot: q.slot, due: make([]time.Duration, room), size: make([]int, room), data: make([]byte, room*q.slot)}
	for q.n > 0 {
		due := q.due[q.head]
		next.push(due, q.pop(nil))
	}
	*q = *next
}
