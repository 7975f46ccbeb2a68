// Package sparse counts in buckets of which few are in use, such as the latencies of an interval.
package sparse

import "iter"

// blockBits is the logarithm of the number of buckets that get memory together.
const blockBits = 6

type block [1 << blockBits]int64

// Counts is a number for each bucket, from 0 to any. Only buckets near those in use take memory
// and time. The zero value counts nothing yet.
type Counts struct {
	blocks []*block
	total  int64
}

// Add counts n values more in a bucket.
func (c *Counts) Add(bucket int, n int64) {
	b := bucket >> blockBits
	for b >= len(c.blocks) {
		c.blocks = append(c.blocks, nil)
	}
	if c.blocks[b] == nil {
		c.blocks[b] = new(block)
	}
	c.blocks[b][bucket&(1<<blockBits-1)] += n
	c.total += n
}

// Total is the sum of all counts.
func (c *Counts) Total() int64 { return c.total }

// At returns the count of a bucket.
func (c *Counts) At(bucket int) int64 {
	b := bucket >> blockBits
	if b >= len(c.blocks) || c.blocks[b] == nil {
		return 0
	}
	return c.blocks[b][bucket&(1<<blockBits-1)]
}

// From lists the buckets with counts from one of them on, in their order.
func (c *Counts) From(bucket int) iter.Seq2[int, int64] {
	return func(yield func(int, int64) bool) {
		for b := bucket >> blockBits; b < len(c.blocks); b++ {
			if c.blocks[b] == nil {
				continue
			}
			for i, n := range c.blocks[b] {
				if at := b<<blockBits + i; n != 0 && at >= bucket && !yield(at, n) {
					return
				}
			}
		}
	}
}

// Merge adds the counts of other.
func (c *Counts) Merge(other *Counts) {
	for i, n := range other.From(0) {
		c.Add(i, n)
	}
}

// Empty removes all counts, and keeps the memory for more.
func (c *Counts) Empty() {
	for _, b := range c.blocks {
		if b != nil {
			clear(b[:])
		}
	}
	c.total = 0
}
