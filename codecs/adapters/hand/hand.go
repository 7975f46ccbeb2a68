// Package hand is the reference: code written by hand for exactly these messages. It
// writes no numbers or names of fields, and integers as they are in memory. It checks
// its input and shares no memory with it.
package hand

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "hand", About: "the floor: fields in their order", Code: "by hand",
		Bench: suite.Of(codec(appendBench, readBench)),
		Flat:  suite.Of(codec(appendFlat, readFlat)),
		Small: suite.Of(codec(appendSmall, readSmall)),
		Large: suite.Of(codec(appendLarge, readLarge)),
		Next:  suite.Of(codec(appendNext, readNext)),
	}
}

func codec[N any, M messages.Message[N]](put func([]byte, *N) []byte, read func(*reader, *N)) func() suite.Serializer[N] {
	return func() suite.Serializer[N] {
		var scratch []byte
		return suite.Serializer[N]{
			Append: func(dst []byte, m *N) ([]byte, error) { return put(dst, m), nil },
			Marshal: func(m *N) ([]byte, error) {
				scratch = put(scratch[:0], m)
				return bytes.Clone(scratch), nil
			},
			Unmarshal: func(src []byte, m *N) error {
				r := reader{src: src, text: string(src)}
				read(&r, m)
				return r.end()
			},
			Reset: func(m *N) { M(m).Reset() },
		}
	}
}

func appendSmall(dst []byte, m *messages.Small) []byte {
	dst = putInt64(dst, m.ID)
	dst = putString(dst, m.Name)
	dst = putBool(dst, m.Active)
	return putUint64(dst, math.Float64bits(m.Score))
}

func readSmall(r *reader, m *messages.Small) {
	m.ID = r.int64()
	m.Name = r.string()
	m.Active = r.bool()
	m.Score = math.Float64frombits(r.uint64())
}

func appendNext(dst []byte, m *messages.Next) []byte {
	dst = appendSmall(dst, &messages.Small{ID: m.ID, Name: m.Name, Active: m.Active, Score: m.Score})
	dst = putString(dst, m.Note)
	dst = putUint64s(dst, m.Marks)
	return putLabel(dst, m.Label)
}

func readNext(r *reader, m *messages.Next) {
	var s messages.Small
	readSmall(r, &s)
	m.ID, m.Name, m.Active, m.Score = s.ID, s.Name, s.Active, s.Score
	m.Note = r.string()
	m.Marks = r.uint64s(m.Marks)
	m.Label = r.label()
}

func appendLarge(dst []byte, m *messages.Large) []byte {
	dst = putString(dst, m.ID)
	dst = putInt64(dst, m.TS)
	dst = binary.AppendUvarint(dst, uint64(len(m.Items)))
	for i := range m.Items {
		dst = putItem(dst, &m.Items[i])
	}
	return dst
}

func readLarge(r *reader, m *messages.Large) {
	m.ID = r.string()
	m.TS = r.int64()
	m.Items = sized(m.Items, r.count(minItem))
	for i := range m.Items {
		r.item(&m.Items[i])
	}
}

func putItem(dst []byte, m *messages.Item) []byte {
	dst = putInt64(dst, m.ID)
	dst = putString(dst, m.Name)
	dst = putUint64(dst, math.Float64bits(m.Price))
	dst = putInt32(dst, m.Flags)
	dst = putBool(dst, m.Active)
	dst = binary.AppendUvarint(dst, uint64(len(m.Labels)))
	for _, l := range m.Labels {
		dst = putLabel(dst, l)
	}
	dst = putUint64s(dst, m.Vals)
	dst = binary.AppendUvarint(dst, uint64(len(m.Blob)))
	return append(dst, m.Blob...)
}

func (r *reader) item(m *messages.Item) {
	m.ID = r.int64()
	m.Name = r.string()
	m.Price = math.Float64frombits(r.uint64())
	m.Flags = r.int32()
	m.Active = r.bool()
	m.Labels = sized(m.Labels, r.count(minLabel))
	for i := range m.Labels {
		m.Labels[i] = r.label()
	}
	m.Vals = r.uint64s(m.Vals)
	m.Blob = append(m.Blob[:0], r.string()...)
}

// The fewest bytes of an item and of a label bound the number that an input can hold.
const (
	minItem  = 25
	minLabel = 2
)

func putLabel(dst []byte, l messages.Label) []byte {
	return putString(putString(dst, l.Key), l.Val)
}

func (r *reader) label() messages.Label { return messages.Label{Key: r.string(), Val: r.string()} }

func putInt32(dst []byte, v int32) []byte {
	return binary.LittleEndian.AppendUint32(dst, uint32(v))
}

func putInt64(dst []byte, v int64) []byte { return putUint64(dst, uint64(v)) }

func putUint64(dst []byte, v uint64) []byte { return binary.LittleEndian.AppendUint64(dst, v) }

func putString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func putBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func putUint64s(dst []byte, list []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(list)))
	for _, v := range list {
		dst = putUint64(dst, v)
	}
	return dst
}

// reader reads one message. After an error it is at the end of the input, and returns
// zeros.
type reader struct {
	src    []byte
	text   string // the input as a string, of which all decoded strings are parts
	at     int
	failed bool
}

var errInput = errors.New("hand: not a message of this type")

func (r *reader) end() error {
	if r.failed || r.at != len(r.src) {
		return errInput
	}
	return nil
}

func (r *reader) fail() { r.at, r.failed = len(r.src), true }

func (r *reader) int32() int32 {
	if len(r.src)-r.at < 4 {
		r.fail()
		return 0
	}
	r.at += 4
	return int32(binary.LittleEndian.Uint32(r.src[r.at-4:]))
}

func (r *reader) int64() int64 { return int64(r.uint64()) }

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.src[r.at:])
	if n <= 0 {
		r.fail()
		return 0
	}
	r.at += n
	return v
}

func (r *reader) uint64() uint64 {
	if len(r.src)-r.at < 8 {
		r.fail()
		return 0
	}
	r.at += 8
	return binary.LittleEndian.Uint64(r.src[r.at-8:])
}

func (r *reader) bool() bool {
	if r.at == len(r.src) {
		r.fail()
		return false
	}
	r.at++
	return r.src[r.at-1] != 0
}

// count reads the number of elements that follow, each of at least size bytes.
func (r *reader) count(size int) int {
	n := r.uint()
	if n > uint64((len(r.src)-r.at)/size) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) string() string {
	n := r.count(1)
	r.at += n
	return r.text[r.at-n : r.at]
}

func (r *reader) uint64s(list []uint64) []uint64 {
	list = sized(list, r.count(8))
	for i := range list {
		list[i] = r.uint64()
	}
	return list
}

// sized returns a list of n elements, in the memory of list if that is large enough.
func sized[T any](list []T, n int) []T {
	if cap(list) >= n {
		return list[:n]
	}
	return make([]T, n)
}
