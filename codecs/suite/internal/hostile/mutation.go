package hostile

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// mutation is an input made of a valid one.
type mutation struct {
	about string // what was done
	kind  int    // index into the target's Kinds
	src   []byte
}

// mutationOf makes the n-th mutation of a target's seeds: the same in every run and
// process.
func mutationOf(seeds []seed, n int) mutation {
	r := rand.New(rand.NewPCG(uint64(n), 1200))
	kind := n % len(seeds)
	s := seed{bytes.Clone(seeds[kind].src), seeds[kind].lengths}
	m := mutators[n/len(seeds)%len(mutators)]
	return mutation{m.about, kind, m.mutate(r, s)}
}

var mutators = []struct {
	about  string
	mutate func(r *rand.Rand, s seed) []byte
}{
	{"truncated", func(r *rand.Rand, s seed) []byte { return s.src[:r.IntN(len(s.src))] }},
	{"a bit flipped", func(r *rand.Rand, s seed) []byte { return flip(r, s.src, 1) }},
	{"bits flipped", func(r *rand.Rand, s seed) []byte { return flip(r, s.src, 2+r.IntN(30)) }},
	{"bytes changed", randomBytes},
	{"a bomb written over", func(r *rand.Rand, s seed) []byte {
		copy(s.src[r.IntN(len(s.src)):], bomb(r))
		return s.src
	}},
	{"a bomb put in", func(r *rand.Rand, s seed) []byte {
		return slices.Insert(s.src, r.IntN(len(s.src)), bomb(r)...)
	}},
	{"a bomb for a length", bombLength},
	{"a bomb for a length", bombLength},
	{"a bomb for a length", bombHeader},
	{"a part left out", func(r *rand.Rand, s seed) []byte {
		from := r.IntN(len(s.src))
		return slices.Delete(s.src, from, min(len(s.src), from+1+r.IntN(16)))
	}},
	{"a part doubled", func(r *rand.Rand, s seed) []byte {
		from := r.IntN(len(s.src))
		part := bytes.Clone(s.src[from:min(len(s.src), from+1+r.IntN(64))])
		return slices.Insert(s.src, from, part...)
	}},
	{"nothing but noise", func(r *rand.Rand, s seed) []byte {
		for i := range s.src {
			s.src[i] = byte(r.Uint32())
		}
		return s.src
	}},
	{"nested deeply", func(r *rand.Rand, _ seed) []byte { return nest(r) }},
	{"nested deeply behind a beginning", func(r *rand.Rand, s seed) []byte {
		return append(s.src[:r.IntN(len(s.src))], nest(r)...)
	}},
}

// bombLength replaces a length, or a byte near it, by one that is too large.
func bombLength(r *rand.Rand, s seed) []byte {
	at := s.lengths[r.IntN(len(s.lengths))]
	at = max(0, at-[]int{0, 0, 0, 1, 3}[r.IntN(5)]) // of a length that has grown by one, the last byte differs
	b := bomb(r)
	if r.IntN(2) == 0 {
		copy(s.src[at:], b)
		return s.src
	}
	return slices.Replace(s.src, at, at+1, b...)
}

func flip(r *rand.Rand, src []byte, n int) []byte {
	for range n {
		src[r.IntN(len(src))] ^= 1 << r.IntN(8)
	}
	return src
}

func randomBytes(r *rand.Rand, s seed) []byte {
	src := s.src
	for range 1 + r.IntN(8) {
		src[r.IntN(len(src))] = byte(r.Uint32())
	}
	return src
}

// bombHeader replaces what may be a header of MessagePack or CBOR with a short
// length by one of the same kind with a long one.
func bombHeader(r *rand.Rand, s seed) []byte {
	at := s.lengths[r.IntN(len(s.lengths))]
	header := map[byte][]byte{
		0x8: {0xdf, 0x9a}, // map; array
		0x9: {0xdd, 0x9a}, // array
		0xa: {0xdb, 0xba}, // string; map
		0xb: {0xdb, 0xba},
		0x6: {0x7a}, // text
		0x4: {0x5a}, // bytes
	}[s.src[at]>>4]
	if header == nil {
		return bombLength(r, s)
	}
	size := []uint32{1<<31 - 1, 1<<32 - 1}[r.IntN(2)]
	b := binary.BigEndian.AppendUint32([]byte{header[r.IntN(len(header))]}, size)
	return slices.Replace(s.src, at, at+1, b...)
}

// bomb is a length that is far too large, in one of the ways in which formats write it.
func bomb(r *rand.Rand) []byte {
	size := []uint64{1 << 16, 1 << 24, 1<<30 - 1, 1<<31 - 1, 1<<32 - 1, 1 << 40, 1<<63 - 1}[r.IntN(7)]
	switch r.IntN(7) {
	case 0:
		return binary.AppendUvarint(nil, size)
	case 1:
		return binary.AppendVarint(nil, int64(size))
	case 2:
		return binary.LittleEndian.AppendUint32(nil, uint32(size))
	case 3:
		return binary.BigEndian.AppendUint32(nil, uint32(size))
	case 4: // MessagePack: str32, array32, map32, bin32
		return binary.BigEndian.AppendUint32([]byte{[]byte{0xdb, 0xdd, 0xdf, 0xc6}[r.IntN(4)]}, uint32(size))
	case 5: // CBOR: bytes, text, array and map of a 32-bit length
		return binary.BigEndian.AppendUint32([]byte{[]byte{0x5a, 0x7a, 0x9a, 0xba}[r.IntN(4)]}, uint32(size))
	}
	return binary.LittleEndian.AppendUint64(nil, size)
}

// openers begin a value that contains another one of its kind.
var openers = [][]byte{
	[]byte("["), []byte(`{"items":[`), []byte(`{"a":`), // JSON
	{0x91}, {0x81, 0xa1, 'a'}, {0xdd, 0, 0, 0, 1}, // MessagePack
	{0x81}, {0x9f}, {0xa1, 0x61, 'a'}, {0xc1}, // CBOR
	{0x1b}, {0x0b}, {0x63}, // Protocol Buffers: groups
	{12, 0, 7}, {15, 0, 9, 15, 0, 0, 0, 1}, {13, 0, 9, 11, 12, 0, 0, 0, 1}, // Thrift: struct, list, map
	{0x1c}, {0x19, 0x19}, // Thrift compact
}

// nest opens one value in the other, up to a million times.
func nest(r *rand.Rand) []byte {
	depth := []int{100, 10_000, 1_000_000}[r.IntN(3)]
	return bytes.Repeat(openers[r.IntN(len(openers))], depth)
}
