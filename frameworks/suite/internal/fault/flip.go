package fault

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/loadgen"
)

// flipper flips bits inside of echoed payloads. It knows them, because all are slices
// of one array. It flips one bit in about half of those that it finds whole or in part.
type flipper []form

// form is how payloads look in an answer.
type form struct {
	array  []byte
	size   int // of a payload
	marker int // where in the array are bytes that are in every payload
	// digits are the bytes of which all others would be an error of the encoding; "" for
	// none. A bit is then flipped so that another digit comes of it.
	digits string
}

// markerSize is long enough that nothing else looks like it.
const markerSize = 8

func newFlipper(q call.Requests) (f flipper, err error) {
	marker := q.Starts() + call.NumberSize // beyond the numbers of all payloads
	if q.Size < marker+markerSize {
		return f, fmt.Errorf("-fault=%s: %d callers need payloads of at least %d bytes", Flip, q.Workers, marker+markerSize)
	}
	f = flipper{{array: q.Payloads(), size: q.Size, marker: marker}}
	for skip := range 3 {
		f = append(f, inBase64(f[0], skip))
	}
	return f, nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// inBase64 returns the form of payloads in JSON, in which three bytes are four digits. Skip
// is the remainder by three of where in the array a payload begins. The last digits of a
// payload are left out, because some of their bits mean nothing.
func inBase64(f form, skip int) form {
	return form{
		array:  []byte(base64.RawStdEncoding.EncodeToString(f.array[skip:])),
		size:   f.size / 3 * 4,
		marker: (f.marker - skip + 2) / 3 * 4,
		digits: base64Digits,
	}
}

// flip returns how many bits it has flipped.
func (f flipper) flip(b []byte) (flips int) {
	for _, form := range f {
		flips += form.flip(b)
	}
	return flips
}

func (f form) flip(b []byte) (flips int) {
	if len(f.array) < f.marker+markerSize {
		return 0
	}
	marker := f.array[f.marker : f.marker+markerSize]
	for {
		i := bytes.Index(b, marker)
		if i < 0 {
			return flips
		}
		from, to := f.around(b, i)
		if rand.IntN(2) == 0 {
			f.flipOne(b[from:to])
			flips++
		}
		b = b[to:]
	}
}

// flipOne flips a bit. Each digit has neighbours that are digits.
func (f form) flipOne(b []byte) {
	at := rand.IntN(len(b))
	was := b[at]
	for b[at] == was || f.digits != "" && strings.IndexByte(f.digits, b[at]) < 0 {
		b[at] = was
		flipBit(b[at : at+1])
	}
}

// around returns which part of b is the payload around the marker at i, as far as it is that of the
// array. The payload's first bytes may be a number that the array does not have, so that the end of
// the payload does not follow from its size. The last digits of base64 are left out: some of their
// bits mean nothing.
func (f form) around(b []byte, i int) (from, to int) {
	shift := f.marker - i
	from, to = i, i+markerSize
	for from > 0 && from+shift > 0 && b[from-1] == f.array[from+shift-1] {
		from--
	}
	for to < len(b) && to-from < f.size && to+shift < len(f.array) && b[to] == f.array[to+shift] {
		to++
	}
	if f.digits != "" && (to == len(b) || strings.IndexByte(f.digits, b[to]) < 0) {
		to -= 3
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

// wrongReplies counts the calls whose reply was compared and found wrong. A result has
// errors as texts.
func wrongReplies(kinds []loadgen.ErrorKind) (n int64) {
	for _, k := range kinds {
		if strings.HasSuffix(k.Text, call.WhatWasSent) {
			n += k.Count
		}
	}
	return n
}
