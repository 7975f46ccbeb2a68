package link

import "time"

// queue holds packets until they are due, in blocks that are used again. Packets leave in the
// order in which they came.
type queue struct {
	slot   int // bytes of the largest packet
	blocks []*block
	spare  []*block
}

// block is a part of a queue. A queue that copied all of its packets when it grows would
// hold up those that are due.
type block struct {
	due         []time.Duration
	size        []int
	data        []byte
	first, next int // of the packets that it holds
}

// perBlock is the packets of a block.
const perBlock = 256

func newQueue(slot int) *queue { return &queue{slot: slot} }

// push keeps a copy of a packet.
func (q *queue) push(due time.Duration, packet []byte) {
	if n := len(q.blocks); n == 0 || q.blocks[n-1].next == perBlock {
		q.blocks = append(q.blocks, q.block())
	}
	b := q.blocks[len(q.blocks)-1]
	at := b.next
	b.due[at], b.size[at] = due, copy(b.data[at*q.slot:(at+1)*q.slot], packet)
	b.next++
}

// block returns an empty one.
func (q *queue) block() *block {
	if n := len(q.spare); n > 0 {
		b := q.spare[n-1]
		q.spare = q.spare[:n-1]
		b.first, b.next = 0, 0
		return b
	}
	return &block{due: make([]time.Duration, perBlock), size: make([]int, perBlock), data: make([]byte, perBlock*q.slot)}
}

// first is when the first packet is due; false if there is none.
func (q *queue) first() (due time.Duration, ok bool) {
	if len(q.blocks) == 0 || q.blocks[0].first == q.blocks[0].next {
		return 0, false
	}
	return q.blocks[0].due[q.blocks[0].first], true
}

// pop appends the first packet to buf.
func (q *queue) pop(buf []byte) []byte {
	b := q.blocks[0]
	at := b.first
	buf = append(buf, b.data[at*q.slot:at*q.slot+b.size[at]]...)
	if b.first++; b.first == perBlock {
		q.blocks, q.spare = append(q.blocks[:0], q.blocks[1:]...), append(q.spare, b)
	}
	return buf
}
