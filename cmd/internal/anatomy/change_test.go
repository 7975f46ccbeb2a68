package anatomy

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// rounds are runs of a side of 1000 calls each, in which a sample is 1 ns of a call. of has the
// samples of each stack in a round.
func rounds(name, side string, n int, of func(round int) Stacks) (list []Run) {
	for i := range n {
		s := of(i)
		list = append(list, Run{
			Name: name, Side: side, Start: time.Unix(int64(i), 0), Calls: 1000, CPU: float64(s.Total()), Stacks: s,
		})
	}
	return list
}

const (
	writes = "main.main;net/rpc.(*Client).send;net.(*conn).Write;syscall.write"
	spins  = "main.main;net/rpc.(*Client).send;net/rpc.spin"
	sends  = "main.main;net/rpc.(*Client).send"
)

// usual has stacks that move by a few samples from round to round.
func usual(shift int64) func(int) Stacks {
	return func(round int) Stacks {
		wave := int64(round*7%5) - 2
		return Stacks{writes: 100 + wave*shift, sends: 40 - wave*shift}
	}
}

func plus(of func(int) Stacks, stack string, n int64) func(int) Stacks {
	return func(round int) Stacks {
		s := of(round)
		s[stack] += n
		return s
	}
}

// found is a change in short.
func found(c Change) string {
	switch {
	case c.Pairs < pairs.Fewest:
		return fmt.Sprintf("%s %s: too few rounds", c.Part, c.Function)
	case c.Shown():
		return fmt.Sprintf("%s %s: %+.0f", c.Part, c.Function, c.Value)
	}
	return fmt.Sprintf("%s %s: cannot be told", c.Part, c.Function)
}

func TestChanges(t *testing.T) {
	const n = 24
	base := rounds("A", "client", n, usual(1))
	for _, c := range []struct {
		about      string
		base, head []Run
		parts      []string // those with samples
		first      string   // of the functions
	}{
		{
			"a planted function comes first, with its part", base, rounds("A", "client", n, plus(usual(-1), spins, 25)),
			[]string{" : +25", "write : cannot be told", "framework : +25"},
			"framework net/rpc.spin: +25",
		},
		{
			"of what a function calls the part is told, and the function that calls it", base, rounds("A", "client", n, plus(usual(-1), writes, 25)),
			[]string{" : +25", "write : +25", "framework : cannot be told"},
			"write net/rpc.(*Client).send: +25",
		},
		{
			"less is told as well", rounds("A", "client", n, plus(usual(1), spins, 25)), rounds("A", "client", n, usual(-1)),
			[]string{" : -25", "write : cannot be told", "framework : -25"},
			"framework net/rpc.spin: -25",
		},
		{
			"of equal sides nothing can be told", base, rounds("A", "client", n, usual(-1)),
			[]string{" : cannot be told", "write : cannot be told", "framework : cannot be told"},
			"write net/rpc.(*Client).send: cannot be told",
		},
		{
			"fewer than 11 rounds tell nothing, however large the change", base[:10], rounds("A", "client", n, plus(usual(-1), spins, 25)),
			[]string{" : too few rounds", "write : too few rounds", "framework : too few rounds"},
			"framework net/rpc.spin: too few rounds",
		},
		{"a benchmark of one side alone is left out", base, rounds("B", "client", n, usual(1)), nil, ""},
		{"so is a side of it", base, rounds("A", "server", n, usual(1)), nil, ""},
		{"nothing is nothing", nil, nil, nil, ""},
	} {
		parts, functions := NewTable(nil).Changes(c.base, c.head)
		var got []string
		for _, p := range parts {
			if p.Samples > 0 {
				got = append(got, found(p))
			}
		}
		assert.Equal(t, c.parts, got, c.about)
		if c.first != "" {
			assert.Equal(t, c.first, found(functions[0]), c.about)
		} else {
			assert.Empty(t, functions, c.about)
		}
	}
}

// Figures are ns of a call, in all rounds together.
func TestFiguresOfAChange(t *testing.T) {
	parts, _ := NewTable(nil).Changes(rounds("A", "client", 12, usual(0)), rounds("A", "client", 13, plus(usual(0), spins, 10)))
	whole := parts[0]
	assert.Equal(t, Change{
		Name: "A", Side: "client", Base: 140, Head: 150, Samples: 12 * (140 + 150), Of: 140,
		Change: pairs.Change{Pairs: 12, Value: 10, Low: 10, High: 10},
	}, whole)
	parts, _ = NewTable(nil).Changes(rounds("A", "client", 3, usual(0)), rounds("A", "client", 3, usual(0)))
	assert.Len(t, parts, 1+len(Parts()))
	assert.True(t, math.IsInf(parts[0].High, 1), "an interval of 3 rounds has no end")
}

// TestRoundsThatFailed: a side that lacks a round is compared with what stood beside it.
func TestRoundsThatFailed(t *testing.T) {
	at := func(seconds ...int) (list []Run) {
		for _, s := range seconds {
			list = append(list, Run{Start: time.Unix(int64(s), 0)})
		}
		return list
	}
	for _, c := range []struct {
		about                    string
		base, head, bases, heads []Run
	}{
		{"all are there", at(0, 10, 20), at(1, 11, 21), at(0, 10, 20), at(1, 11, 21)},
		{"the first of head is not", at(0, 10, 20), at(11, 21), at(10, 20), at(11, 21)},
		{"one in the middle of base is not", at(0, 20), at(1, 11, 21), at(0, 20), at(1, 21)},
		{"the last is not", at(0, 10), at(1, 11, 21), at(0, 10), at(1, 11)},
		{"none is", nil, at(1), nil, nil},
	} {
		bases, heads := besides(c.base, c.head)
		assert.Equal(t, c.bases, bases, c.about)
		assert.Equal(t, c.heads, heads, c.about)
	}
}
