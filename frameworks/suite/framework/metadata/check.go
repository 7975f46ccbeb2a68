package metadata

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/bits"
	"strconv"
	"strings"
)

// Own reports whether a name is one of the entries that Calls makes, in small letters or not.
// Frameworks add entries of their own.
func Own(name string) bool {
	return len(name) >= NameBytes && strings.EqualFold(name[:len(prefix)], prefix)
}

// OwnOf returns what is own of a framework's container, in one of the same kind, which a
// server sends back; nil if nothing is.
func OwnOf[M ~map[string]V, V any](all M) M {
	var own M
	for name, v := range all {
		if Own(name) {
			if own == nil {
				own = make(M, len(all))
			}
			own[name] = v
		}
	}
	return own
}

// Lists ranges over the values of containers that have several of a name, as net/http's headers.
func Lists[M ~map[string][]string](all M) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for name, values := range all {
			for _, value := range values {
				if !yield(name, value) {
					return
				}
			}
		}
	}
}

// From returns the own entries of a map that Map made.
func From(all map[string]string) Entries {
	e := make(Entries, 2*len(all))
	n := 0
	for name, value := range all {
		if i := index(name); i >= 0 && i < len(all) {
			e[2*i], e[2*i+1] = name, value
			n++
		}
	}
	return e[:2*n]
}

// Same is Check for a map.
func (e Entries) Same(came map[string]string) error { return e.Check(maps.All(came)) }

// Check returns an error unless the own entries that came are these, each once, in any order.
// Of a call without entries nothing is read.
func (e Entries) Check(came iter.Seq2[string, string]) error {
	if len(e) == 0 {
		return nil
	}
	var few [1]uint64 // of up to 64 entries, which then need no memory
	seen := few[:]
	if n := e.Len(); n > 64 {
		seen = make([]uint64, (n+63)/64)
	}
	for name, value := range came {
		if !Own(name) {
			continue
		}
		if err := e.take(seen, name, value); err != nil {
			return err
		}
	}
	count := 0
	for _, word := range seen {
		count += bits.OnesCount64(word)
	}
	if count < e.Len() {
		return fmt.Errorf("metadata: %d of %d entries came back", count, e.Len())
	}
	return nil
}

var errMore = errors.New("metadata: more came back than was sent")

// take notes in seen that an entry came.
func (e Entries) take(seen []uint64, name, value string) error {
	i := index(name)
	switch {
	case i < 0 || i >= e.Len() || !strings.EqualFold(name, e[2*i]):
		return errMore
	case value != e[2*i+1]:
		return fmt.Errorf("metadata: %s came back with another value", e[2*i])
	case seen[i/64]>>(i%64)&1 != 0:
		return errMore
	}
	seen[i/64] |= 1 << (i % 64)
	return nil
}

// index is the number of an own name, from 0; negative for what is none.
func index(name string) int {
	if !Own(name) {
		return -1
	}
	n, err := strconv.Atoi(name[len(prefix):NameBytes])
	if err != nil {
		return -1
	}
	return n - 1
}
