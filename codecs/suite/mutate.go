package suite

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// mutation is an input made of a valid one.
type mutation struct {
	about string // what was done
	kind  int    // index into messages.Measured
	src   []byte
}

// prey is what mutations are made of: an encoding, and where in it the lengths
// of its strings and lists are, as far as can be told from outside.
type prey struct {
	src     []byte
	lengths []int
}

// mutationOf makes the n-th mutation of an entry's encodings, one of each
// measured kind: the same in every run and process.
func mutationOf(list []prey, n int) mutation {
	r := rand.New(rand.NewPCG(uint64(n), 1200))
	kind := n % len(list)
	p := prey{bytes.Clone(list[kind].src), list[kind].lengths}
	m := mutators[n/len(list)%len(mutators)]
	return mutation{m.about, kind, m.mutate(r, p)}
}

var mutators = []struct {
	about  string
	mutate func(r *rand.Rand, p prey) []byte
}{
	{"truncated", func(r *rand.Rand, p prey) []byte { return p.src[:r.IntN(len(p.src))] }},
	{"a bit flipped", func(r *rand.Rand, p prey) []byte { return flip(r, p.src, 1) }},
	{"bits flipped", func(r *rand.Rand, p prey) []byte { return flip(r, p.src, 2+r.IntN(30)) }},
	{"bytes changed", randomBytes},
	{"a bomb written over", func(r *rand.Rand, p prey) []byte {
		copy(p.src[r.IntN(len(p.src)):], bomb(r))
		return p.src
	}},
	{"a bomb put in", func(r *rand.Rand, p prey) []byte {
		return slices.Insert(p.src, r.IntN(len(p.src)), bomb(r)...)
	}},
	{"a bomb for a length", bombLength},
	{"a bomb for a length", bombLength},
	{"a bomb for a length", bombHeader},
	{"a part left out", func(r *rand.Rand, p prey) []byte {
		from := r.IntN(len(p.src))
		return slices.Delete(p.src, from, min(len(p.src), from+1+r.IntN(16)))
	}},
	{"a part doubled", func(r *rand.Rand, p prey) []byte {
		from := r.IntN(len(p.src))
		part := bytes.Clone(p.src[from:min(len(p.src), from+1+r.IntN(64))])
		return slices.Insert(p.src, from, part...)
	}},
	{"nothing but noise", func(r *rand.Rand, p prey) []byte {
		for i := range p.src {
			p.src[i] = byte(r.Uint32())
		}
		return p.src
	}},
	{"nested deeply", func(r *rand.Rand, _ prey) []byte { return nest(r) }},
	{"nested deeply behind a beginning", func(r *rand.Rand, p prey) []byte {
		return append(p.src[:r.IntN(len(p.src))], nest(r)...)
	}},
}

// bombLength replaces a length, or what is near it, by one that is too large.
func bombLength(r *rand.Rand, p prey) []byte {
	at := p.lengths[r.IntN(len(p.lengths))]
	at = max(0, at-[]int{0, 0, 0, 1, 3}[r.IntN(5)]) // the last byte of a length is the one that differs
	b := bomb(r)
	if r.IntN(2) == 0 {
		copy(p.src[at:], b)
		return p.src
	}
	return slices.Replace(p.src, at, at+1, b...)
}

func flip(r *rand.Rand, src []byte, n int) []byte {
	for range n {
		src[r.IntN(len(src))] ^= 1 << r.IntN(8)
	}
	return src
}

func randomBytes(r *rand.Rand, p prey) []byte {
	src := p.src
	for range 1 + r.IntN(8) {
		src[r.IntN(len(src))] = byte(r.Uint32())
	}
	return src
}

// bombHeader replaces what may be a header of MessagePack or CBOR with a short
// length by one of the same kind with a long one.
func bombHeader(r *rand.Rand, p prey) []byte {
	at := p.lengths[r.IntN(len(p.lengths))]
	header := map[byte][]byte{
		0x8: {0xdf, 0x9a}, // map; array
		0x9: {0xdd, 0x9a}, // array
		0xa: {0xdb, 0xba}, // string; map
		0xb: {0xdb, 0xba},
		0x6: {0x7a}, // text
		0x4: {0x5a}, // bytes
	}[p.src[at]>>4]
	if header == nil {
		return bombLength(r, p)
	}
	size := []uint32{1<<31 - 1, 1<<32 - 1}[r.IntN(2)]
	b := binary.BigEndian.AppendUint32([]byte{header[r.IntN(len(header))]}, size)
	return slices.Replace(p.src, at, at+1, b...)
}

// bomb is a length that is far too large, in the ways that formats write one.
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

// openers begin something that holds another of its kind.
var openers = [][]byte{
	[]byte("["), []byte(`{"items":[`), []byte(`{"a":`), // JSON
	{0x91}, {0x81, 0xa1, 'a'}, {0xdd, 0, 0, 0, 1}, // MessagePack
	{0x81}, {0x9f}, {0xa1, 0x61, 'a'}, {0xc1}, // CBOR
	{0x1b}, {0x0b}, {0x63}, // Protocol Buffers: groups
	{12, 0, 7}, {15, 0, 9, 15, 0, 0, 0, 1}, {13, 0, 9, 11, 12, 0, 0, 0, 1}, // Thrift: struct, list, map
	{0x1c}, {0x19, 0x19}, // Thrift compact
}

// nest opens one thing in the other, up to a million times.
func nest(r *rand.Rand) []byte {
	depth := []int{100, 10_000, 1_000_000}[r.IntN(3)]
	return bytes.Repeat(openers[r.IntN(len(openers))], depth)
}

// preys encodes a message of each measured kind, and again with one string or
// list longer by one: where the encodings begin to differ is a length.
func (e Entry) preys() (list []prey, err error) {
	for i, k := range e.cases() {
		src, err := k.make().encode(marshalFresh, nil, rich(messages.Measured[i]))
		if err != nil {
			return nil, err
		}
		p := prey{src: src}
		for _, longer := range longerOnes(messages.Measured[i]) {
			other, err := k.make().encode(marshalFresh, nil, longer)
			if err != nil {
				return nil, err
			}
			p.lengths = append(p.lengths, differences(src, other, 4)...)
		}
		if len(p.lengths) == 0 {
			p.lengths = []int{0}
		}
		list = append(list, p)
	}
	return list, nil
}

// rich is a message of a kind with no empty lists.
func rich(kind messages.Kind) any {
	m := kind.Seeded(0)
	switch m := m.(type) {
	case *messages.Bench:
		m.Field5 = []uint64{1, 2}
	case *messages.Flat:
		m.Field5 = []uint64{1, 2}
	}
	return m
}

// longerOnes are rich messages with one more element or letter somewhere.
func longerOnes(kind messages.Kind) (list []any) {
	for _, grow := range []func(m any){
		func(m any) {
			switch m := m.(type) {
			case *messages.Bench:
				m.Field5 = append(m.Field5, 3)
			case *messages.Flat:
				m.Field5 = append(m.Field5, 3)
			case *messages.Large:
				m.Items[0].Vals = append(m.Items[0].Vals, 3)
			}
		},
		func(m any) {
			switch m := m.(type) {
			case *messages.Bench:
				m.Field1 += "x"
			case *messages.Flat:
				m.Field1 += "x"
			case *messages.Small:
				m.Name += "x"
			case *messages.Large:
				m.Items = append(m.Items, m.Items[0])
			}
		},
		func(m any) {
			if m, ok := m.(*messages.Large); ok {
				m.Items[0].Labels = append(m.Items[0].Labels, messages.Label{})
			}
		},
		func(m any) {
			if m, ok := m.(*messages.Large); ok {
				m.Items[0].Blob = append(m.Items[0].Blob, 1)
			}
		},
	} {
		m := rich(kind)
		grow(m)
		list = append(list, m)
	}
	return list
}

// differences returns the first n places in which a and b differ.
func differences(a, b []byte, n int) (list []int) {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] && len(list) < n {
			list = append(list, i)
		}
	}
	return list
}
