package storm

import (
	"math/rand/v2"
	"sync"
)

// dice decide to which chunks or datagrams a fault happens.
type dice struct {
	fault   Fault
	replies bool // a fault of one direction happens to replies

	mu     sync.Mutex
	random *rand.Rand
	chunks int // passed on, both ways
	made   int // how often the fault has happened
}

func newDice(f Fault, seed uint64) dice {
	return dice{fault: f, replies: seed%2 == 1, random: rand.New(rand.NewPCG(seed, 0))}
}

// Made returns how often the fault has happened.
func (d *dice) Made() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.made
}

// rarity is how many chunks there are for one that suffers a rare fault.
const rarity = 20

// happens reports whether the fault happens to the next chunk, and counts it if it does.
func (d *dice) happens(reply bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.chunks++
	f := d.fault
	if f.change == nil && f.datagram == nil || f.oneWay && reply != d.replies || f.once && d.made > 0 {
		return false
	}
	if f.rare && (d.chunks < f.After || d.random.IntN(rarity) > 0) {
		return false
	}
	d.made++
	return true
}

// below returns a random number from 0 to n-1.
func (d *dice) below(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.random.IntN(n)
}

// flipBit flips a bit.
func (d *dice) flipBit(b []byte) {
	bit := d.below(8 * len(b))
	b[bit/8] ^= 1 << (bit % 8)
}
