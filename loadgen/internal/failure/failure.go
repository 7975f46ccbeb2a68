// Package failure counts failed calls by what their errors have in common.
package failure

import (
	"sync"
	"time"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/loadgen/internal/bank"
	"github.com/rpcbench/rpcbench/loadgen/internal/bucket"
)

// Calls counts failed calls. A lock is cheap enough, since failures are rare in
// a run that is worth anything.
type Calls struct {
	mu        sync.Mutex
	Kinds     Kinds
	responses [bank.Steps]map[int]int64 // counts by bucket, as in bank.Shard
}

// Kinds has the number of failed calls of each kind. Pointers, since a kind that is
// known is then counted without a string made for it.
type Kinds map[string]*int64

const (
	// MaxKinds bounds the kinds that a run tells apart.
	MaxKinds = 20
	Others   = "other errors"
	// MaxKind is the number of bytes of an error's text that its kind is made of.
	MaxKind = 256
)

// Add counts a call after its end was stamped. A text costs the same however long it is,
// and texts that are all different cost no more than one that always returns.
func (f *Calls) Add(err error, response time.Duration, step int) {
	var room [MaxKind]byte
	kind := Append(room[:0], err.Error())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Kinds == nil {
		f.Kinds = Kinds{}
		for i := range f.responses {
			f.responses[i] = map[int]int64{}
		}
	}
	f.Kinds.Add(kind, 1, MaxKinds)
	f.responses[step%bank.Steps][bucket.Of(response)]++
}

// Add counts calls as others where there are most kinds already.
func (k Kinds) Add(kind []byte, calls int64, most int) {
	n := k[string(kind)]
	if n == nil {
		if k[Others] != nil {
			most++
		}
		if len(k) >= most {
			kind = []byte(Others)
		}
		if n = k[string(kind)]; n == nil {
			n = new(int64)
			k[string(kind)] = n
		}
	}
	*n += calls
}

// Append appends what errors of one kind have in common: the beginning of a text, with
// "…" for what differs between errors of one kind, such as ports, numbers of calls, sizes
// and addresses: 0x and the hexadecimal digits after it, and decimal digits from four on. A
// text of more than MaxKind bytes ends with "…". So a kind has at most that many bytes,
// and is its own kind. No character is cut in two, and no number is told from another
// by where it is cut.
func Append(kind []byte, text string) []byte {
	const more = "…"
	end := len(text)
	if end > MaxKind {
		end = Cut(text, MaxKind-len(more))
	}
	shown := 0 // what of the text is in the kind
	for i := 0; i < end; i++ {
		if !isDigit(text[i]) {
			continue
		}
		if n := particular(text[i:]); n > 0 {
			kind = append(append(kind, text[shown:i]...), more...)
			shown = i + n
			i = shown - 1
		}
	}
	if shown >= end {
		return kind
	}
	if kind = append(kind, text[shown:end]...); end < len(text) {
		kind = append(kind, more...)
	}
	return kind
}

// particular returns the length of the number at the beginning of a text that differs
// between errors of one kind; 0 if there is none. Of one that is longer than any kind it
// returns a part.
func particular(text string) (n int) {
	text = text[:min(len(text), MaxKind)]
	if len(text) > 2 && text[0] == '0' && text[1] == 'x' {
		for n = 2; n < len(text) && (isDigit(text[n]) || text[n] >= 'a' && text[n] <= 'f'); {
			n++
		}
		if n > 2 {
			return n
		}
	}
	for n = 0; n < len(text) && isDigit(text[n]); {
		n++
	}
	if n < 4 {
		return 0
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Drain takes the responses of a step, which it gives to count by their buckets.
func (f *Calls) Drain(step int, count func(bucket int, n int64)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for bucket, n := range f.responses[step%bank.Steps] {
		count(bucket, n)
	}
	clear(f.responses[step%bank.Steps])
}

// Cut returns the end of a part of a text that has at most most bytes, fewer than the text,
// and no half a character.
func Cut(text string, most int) int {
	for end := most; end > most-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return most
}
