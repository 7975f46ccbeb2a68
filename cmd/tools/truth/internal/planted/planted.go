// Package planted is the behaviour of servers whose response times follow from arithmetic. It
// reads no clock: times are offsets from when the first call arrived, or was due. A server asks
// it when an answer goes out, and the table asks it what users wait, so that both are one truth.
package planted

import (
	"math/rand/v2"
	"time"
)

// Kind names a behaviour.
type Kind string

// The kinds.
const (
	Frozen   Kind = "frozen"   // does nothing for a part of each period
	Stopped  Kind = "stopped"  // its process is stopped once, by a signal
	Slow     Kind = "slow"     // takes long for one call of each ten
	Queue    Kind = "queue"    // serves one call at a time
	Wrong    Kind = "wrong"    // answers some calls with an error or with a wrong body
	Dropping Kind = "dropping" // closes the connection of some calls without an answer
	Plain    Kind = "plain"    // answers at once
)

// Kinds returns all kinds, in the order of a table.
func Kinds() []Kind { return []Kind{Frozen, Stopped, Slow, Queue, Wrong, Dropping, Plain} }

// Plan is the behaviour of a server. [Of] returns the one of each kind.
type Plan struct {
	Kind Kind
	Seed int64         // moves what is random
	Base time.Duration // from arrival to answer; in a queue the mean service time

	// Gap is the least time between two answers of a server that has stood still, so that
	// what the machine needs for each of a hundred answers at once is part of the plan.
	Gap time.Duration
	// Frozen alone: it does nothing for Freeze, from Phase on, in each Period.
	Period, Phase, Freeze time.Duration
	// Stopped alone: when the process is to be stopped and for how long. The real
	// window goes to Responses.
	StopAt, StopFor time.Duration
	// OneOf is the length of the blocks of calls of which one is slow, wrong or dropped.
	OneOf int
	Long  time.Duration // Slow alone: from arrival to answer of the slow calls
	// Random says that the service times of a queue are exponential; else all are Base.
	Random bool
}

// Outcome is how a call ends.
type Outcome uint8

// The outcomes.
const (
	Right Outcome = iota
	Failure
	OtherBody // looks like a right answer, and is none
	Drop
)

// Answer says when a call ends and how.
type Answer struct {
	At time.Duration
	Outcome
}

// Calls is a sequence of calls to a server, in order of arrival.
type Calls struct {
	plan    Plan
	number  int64
	free    time.Duration // when the queue has served the last call, or the next answer may go out
	random  *rand.Rand    // the service times of the queue
	special [2]int        // which calls of the block are not like the others
}

// Start returns the calls of a run.
func (p Plan) Start() *Calls {
	return &Calls{plan: p, random: rand.New(rand.NewPCG(uint64(p.Seed), 1))}
}

// Next returns the answer to the next call, which has arrived at an offset. Calls must come
// in order of arrival.
func (c *Calls) Next(arrival time.Duration) Answer {
	place := c.place()
	switch p := c.plan; p.Kind {
	case Frozen:
		return Answer{At: c.apart(p.thaw(p.thaw(arrival) + p.Base))}
	case Stopped:
		return Answer{At: c.apart(arrival + p.Base)}
	case Queue:
		c.free = max(arrival, c.free) + c.service()
		return Answer{At: c.free}
	case Slow:
		if place == c.special[0] {
			return Answer{At: arrival + p.Long}
		}
	case Wrong, Dropping:
		return Answer{arrival + p.Base, c.outcome(place)}
	}
	return Answer{At: arrival + c.plan.Base}
}

// apart returns when an answer goes out that could at t.
func (c *Calls) apart(t time.Duration) time.Duration {
	t = max(t, c.free)
	c.free = t + c.plan.Gap
	return t
}

// place returns the place of the next call in its block. At the beginning of a block it
// draws which calls are special.
func (c *Calls) place() int {
	if c.plan.OneOf == 0 {
		return 0
	}
	place, block := int(c.number%int64(c.plan.OneOf)), c.number/int64(c.plan.OneOf)
	c.number++
	if place == 0 {
		draw := rand.New(rand.NewPCG(uint64(c.plan.Seed), uint64(block)))
		c.special[0] = draw.IntN(c.plan.OneOf)
		c.special[1] = (c.special[0] + 1 + draw.IntN(c.plan.OneOf-1)) % c.plan.OneOf
	}
	return place
}

// outcome is how the call at a place of the block ends.
func (c *Calls) outcome(place int) Outcome {
	switch {
	case c.plan.Kind == Dropping && place == c.special[0]:
		return Drop
	case c.plan.Kind == Wrong && place == c.special[0]:
		return Failure
	case c.plan.Kind == Wrong && place == c.special[1]:
		return OtherBody
	}
	return Right
}

// service draws the next service time of the queue.
func (c *Calls) service() time.Duration {
	if !c.plan.Random {
		return c.plan.Base
	}
	return time.Duration(c.random.ExpFloat64() * float64(c.plan.Base))
}

// thaw returns the end of the freeze that t falls into, and t outside of any.
func (p Plan) thaw(t time.Duration) time.Duration {
	start := t - t%p.Period + p.Phase
	if t >= start && t < start+p.Freeze {
		return start + p.Freeze
	}
	return t
}
