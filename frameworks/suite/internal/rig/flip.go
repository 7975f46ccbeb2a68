package rig

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// flipper flips bits inside of echoed payloads. It knows them, because all are slices
// of one array. It flips one bit in about half of those that it finds whole or in part.
type flipper struct {
	array  []byte
	size   int // of a payload
	marker int // where in the array are bytes that are in every payload
}

// markerSize is long enough that nothing else looks like it.
const markerSize = 8

func newFlipper(q requestSpec) (f flipper, err error) {
	if q.size < q.workers+markerSize {
		return f, fmt.Errorf("-fault=%s: %d callers need payloads of at least %d bytes", faultFlip, q.workers, q.workers+markerSize)
	}
	return flipper{array: q.payloads(), size: q.size, marker: q.workers}, nil
}

// flip returns how many bits it has flipped.
func (f flipper) flip(b []byte) (flips int) {
	marker := f.array[f.marker : f.marker+markerSize]
	for {
		i := bytes.Index(b, marker)
		if i < 0 {
			return flips
		}
		from, to := f.around(b, i)
		if rand.IntN(2) == 0 {
			flipBit(b[from:to])
			flips++
		}
		b = b[to:]
	}
}

// around returns which part of b is the payload around the marker at i.
func (f flipper) around(b []byte, i int) (from, to int) {
	shift := f.marker - i
	from, to = i, i+markerSize
	for from > 0 && from+shift > 0 && b[from-1] == f.array[from+shift-1] {
		from--
	}
	for to < len(b) && to-from < f.size && to+shift < len(f.array) && b[to] == f.array[to+shift] {
		to++
	}
	return from, to
}

func flipBit(b []byte) {
	bit := rand.IntN(8 * len(b))
	b[bit/8] ^= 1 << (bit % 8)
}

// noiseEvery is after how many parts of an answer on average noise flips a bit.
const noiseEvery = 50

// noise flips a bit anywhere in some answers.
func noise(b []byte) (flips int) {
	if len(b) == 0 || rand.IntN(noiseEvery) > 0 {
		return 0
	}
	flipBit(b)
	return 1
}

// seenFlips is the share of flipped bits that must be counted as errors.
const seenFlips = .999

// countFlips adds the number of flipped bits to what was measured, and a warning if
// the comparison found fewer wrong replies. Calls that failed otherwise do not count,
// because a lost connection fails all calls on it, flipped or not.
func (r *round) countFlips(m *measured) {
	fault, flips := r.rig.fault, r.corrupter.made.Load()
	if m.Result == nil || fault != faultFlip && fault != faultNoise {
		return
	}
	m.more = append(m.more, loadbench.Metric{Value: float64(flips), Unit: "flips"})
	if wrong := wrongReplies(m.ErrorKinds); fault == faultFlip && float64(wrong) < seenFlips*float64(flips) {
		m.doubts = append(m.doubts, fmt.Sprintf("a bit was flipped in %d payloads, and %d of %d failed calls had a wrong reply", flips, wrong, m.Failed))
	}
}

// wrongReplies counts the calls whose reply was compared and found wrong. A result has
// errors as texts.
func wrongReplies(kinds []loadgen.ErrorKind) (n int64) {
	for _, k := range kinds {
		if strings.HasSuffix(k.Text, whatWasSent) {
			n += k.Count
		}
	}
	return n
}
