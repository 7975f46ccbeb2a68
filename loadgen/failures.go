package loadgen

import (
	"cmp"
	"errors"
	"regexp"
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
	kinds     map[string]int64
	responses [numBanks]map[int]int64 // counts by bucket, as in shard.response
}

// maxKinds bounds the number of error texts that are told apart.
const maxKinds = 20

// particular matches what differs between errors of one kind: ports, numbers of
// calls, sizes, addresses.
var particular = regexp.MustCompile(`0x[0-9a-f]+|[0-9]{4,}`)

func (f *failures) add(err error, response time.Duration, step int) {
	text := particular.ReplaceAllString(err.Error(), "…")
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.kinds == nil {
		f.kinds = map[string]int64{}
		for i := range f.responses {
			f.responses[i] = map[int]int64{}
		}
	}
	if _, known := f.kinds[text]; !known && len(f.kinds) >= maxKinds {
		text = "other errors"
	}
	f.kinds[text]++
	f.responses[step%numBanks][bucketOf(response)]++
}

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
func (f *failures) list() []ErrorKind {
	kinds := make([]ErrorKind, 0, len(f.kinds))
	for text, n := range f.kinds {
		kinds = append(kinds, ErrorKind{text, n})
	}
	slices.SortFunc(kinds, func(a, b ErrorKind) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return kinds
}
