package metadata

import (
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
)

// Entries are a call's, each a name with the value behind it.
type Entries []string

// Len is the number of entries.
func (e Entries) Len() int { return len(e) / 2 }

// All ranges over names and values.
func (e Entries) All() iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for i := 0; i < len(e); i += 2 {
			if !yield(e[i], e[i+1]) {
				return
			}
		}
	}
}

// Map returns the entries in a map of their own.
func (e Entries) Map() map[string]string {
	m := make(map[string]string, e.Len())
	for name, value := range e.All() {
		m[name] = value
	}
	return m
}

// Calls makes the entries of a client's calls. Several goroutines may use it.
type Calls struct {
	set   Set
	first Entries // of the first call
	made  atomic.Uint64
}

// Calls returns what makes the entries of a new client's calls: for each client the same.
func (s Set) Calls() *Calls {
	c := &Calls{set: s}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range s.Entries {
		c.first = append(c.first, name(i, s.Binary), value(random, s))
	}
	return c
}

func name(i int, binary bool) string {
	text := strconv.Itoa(i + 1)
	text = prefix + strings.Repeat("0", digits-len(text)) + text
	if binary {
		text += BinarySuffix
	}
	return text
}

const letters = "0123456789abcdefghijklmnopqrstuvwxyz"

func value(random *rand.Rand, s Set) string {
	b := make([]byte, s.Bytes)
	for i := range b {
		if s.Binary {
			b[i] = byte(random.UintN(256))
		} else {
			b[i] = letters[random.IntN(len(letters))]
		}
	}
	if s.Binary && len(b) > 0 { // what text cannot have
		b[len(b)-1] = 0
	}
	return string(b)
}

// Next returns the entries of the next call. They must not be changed.
func (c *Calls) Next() Entries {
	if !c.set.Fresh {
		return c.first
	}
	return c.Of(c.made.Add(1) - 1)
}

// Of returns the entries of the call with this number, from 0.
func (c *Calls) Of(call uint64) Entries {
	if !c.set.Fresh || call == 0 {
		return c.first
	}
	var values strings.Builder
	values.Grow(c.set.Entries * c.set.Bytes)
	e := make(Entries, len(c.first))
	for i := 0; i < len(e); i += 2 {
		e[i] = c.first[i]
		old := c.first[i+1]
		for at := range leastFresh {
			values.WriteByte(turned(c.set.Binary, old[at], call>>(4*at)))
		}
		values.WriteString(old[leastFresh:])
	}
	all := values.String()
	for i := 1; i < len(e); i += 2 {
		e[i], all = all[:c.set.Bytes], all[c.set.Bytes:]
	}
	return e
}

// turned returns another byte of the same kind for each of the lowest 4 bits.
func turned(binary bool, b byte, bits uint64) byte {
	bits &= 15
	if binary {
		return b ^ byte(bits)
	}
	at := int(b - '0') // in letters
	if b >= 'a' {
		at = int(b-'a') + 10
	}
	return letters[(at+int(bits))%len(letters)]
}
