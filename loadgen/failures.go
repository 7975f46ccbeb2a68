package loadgen

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

// The kinds of calls that did not return.
var (
	errUnfinished = errors.New("did not return before the end of the run")
	errPanicked   = errors.New("panicked") // the PanicError says more
)

// failures counts failed calls. A lock is cheap enough, since failures are rare in
// a run that is worth anything.
type failures struct {
	mu        sync.Mutex
	kinds     errorCounts
	responses [numBanks]map[int]int64 // counts by bucket, as in shard.response
}

// errorCounts has the number of failed calls of each kind. Pointers, since a kind that is
// known is then counted without a string made for it.
type errorCounts map[string]*int64

const (
	// maxKinds bounds the kinds that a run tells apart.
	maxKinds = 20
	// maxMergedKinds bounds those of runs that were merged, or read.
	maxMergedKinds = 200
	otherKinds     = "other errors"
	// maxKind is the number of bytes of an error's text that its kind is made of.
	maxKind = 256
)

// add counts a call after its end was stamped. A text costs the same however long it is,
// and texts that are all different cost no more than one that always returns.
func (f *failures) add(err error, response time.Duration, step int) {
	var room [maxKind]byte
	kind := appendKind(room[:0], err.Error())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = errorCounts{}
		for i := range f.responses {
			f.responses[i] = map[int]int64{}
		}
	}
	f.kinds.add(kind, 1, maxKinds)
	f.responses[step%numBanks][bucketOf(response)]++
}

// add counts calls as others where there are most kinds already.
func (k errorCounts) add(kind []byte, calls int64, most int) {
	n := k[string(kind)]
	if n == nil {
		if k[otherKinds] != nil {
			most++
		}
		if len(k) >= most {
			kind = []byte(otherKinds)
		}
		if n = k[string(kind)]; n == nil {
			n = new(int64)
			k[string(kind)] = n
		}
	}
	*n += calls
}

// appendKind appends what errors of one kind have in common: the beginning of a text, with
// "…" for what differs between errors of one kind, such as ports, numbers of calls, sizes
// and addresses: 0x and the hexadecimal digits after it, and decimal digits from four on. A
// text of more than maxKind bytes ends with "…". So a kind has at most that many bytes,
// and is its own kind. No character is cut in two, and no number is told from another
// by where it is cut.
func appendKind(kind []byte, text string) []byte {
	const more = "…"
	end := len(text)
	if end > maxKind {
		end = cutAt(text, maxKind-len(more))
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
	text = text[:min(len(text), maxKind)]
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

// drain moves the responses of a step to both histograms and returns their number.
func (f *failures) drain(step int, all, failed *Histogram, inUse *blocks) (total int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for bucket, n := range f.responses[step%numBanks] {
		all.add(bucket, n)
		failed.add(bucket, n)
		inUse.add(bucket)
		total += n
	}
	clear(f.responses[step%numBanks])
	return total
}

// list returns the kinds, the most frequent first.
func (k errorCounts) list() []ErrorKind {
	list := make([]ErrorKind, 0, len(k))
	for text, n := range k {
		list = append(list, ErrorKind{text, *n})
	}
	slices.SortFunc(list, func(a, b ErrorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return list
}

// joinKinds adds kinds up. Of more than most the most frequent are kept, and what
// is left counts as others. The texts may be of others, and of any length.
func joinKinds(most int, lists ...[]ErrorKind) []ErrorKind {
	sum := errorCounts{}
	for _, k := range slices.Concat(lists...) {
		sum.add(appendKind(nil, k.Text), k.Count, math.MaxInt-1)
	}
	all := sum.list()
	if len(all) <= most {
		return all
	}
	few := errorCounts{}
	for _, k := range all {
		few.add([]byte(k.Text), k.Count, most)
	}
	return few.list()
}
