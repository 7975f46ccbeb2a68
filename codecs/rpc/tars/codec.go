package tars

import (
	"errors"

	"github.com/TarsCloud/TarsGo/tars/protocol/codec"
)

// Message is a structure that can be a parameter or a result.
type Message interface {
	WriteTo(*codec.Buffer) error
	ReadFrom(*codec.Reader) error
}

// Write encodes a message as a structure with a tag.
func Write(b *codec.Buffer, m Message, tag byte) error {
	if err := b.WriteHead(codec.StructBegin, tag); err != nil {
		return err
	}
	if err := m.WriteTo(b); err != nil {
		return err
	}
	return b.WriteHead(codec.StructEnd, 0)
}

// Read decodes the structure with a tag into an empty message.
func Read(b *codec.Reader, m Message, tag byte) error {
	if _, err := b.SkipTo(codec.StructBegin, tag, true); err != nil {
		return err
	}
	if err := m.ReadFrom(b); err != nil {
		return err
	}
	return b.SkipToStructEnd()
}

// writer keeps the first error.
type writer struct {
	b   *codec.Buffer
	err error
}

func (w *writer) do(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) bytes(v []uint8, tag byte) {
	w.do(w.b.WriteHead(codec.SimpleList, tag))
	w.do(w.b.WriteHead(codec.BYTE, 0))
	w.do(w.b.WriteInt32(int32(len(v)), 0))
	w.do(w.b.WriteSliceUint8(v))
}

func (w *writer) longs(list []int64, tag byte) {
	w.do(w.b.WriteHead(codec.LIST, tag))
	w.do(w.b.WriteInt32(int32(len(list)), 0))
	for _, v := range list {
		w.do(w.b.WriteInt64(v, 0))
	}
}

// reader keeps the first error.
type reader struct {
	b   *codec.Reader
	err error
}

func (r *reader) do(err error) {
	if r.err == nil {
		r.err = err
	}
}

// length reads the length of a list; 0 if the list is absent.
func (r *reader) length(ty, tag byte, require bool) (n int32) {
	have, err := r.b.SkipTo(ty, tag, require)
	r.do(err)
	if !have || err != nil {
		return 0
	}
	if ty == codec.SimpleList {
		_, err := r.b.SkipTo(codec.BYTE, 0, true)
		r.do(err)
	}
	r.do(r.b.ReadInt32(&n, 0, true))
	if n < 0 || int(n) > r.b.Len() {
		r.do(errLength)
		return 0
	}
	return n
}

var errLength = errors.New("tars: a list says that it is longer than its message")

func (r *reader) bytes(v *[]uint8, tag byte) {
	n := r.length(codec.SimpleList, tag, true)
	r.do(r.b.ReadSliceUint8(v, n, true))
}

func (r *reader) longs(list *[]int64, tag byte) {
	n := r.length(codec.LIST, tag, false)
	if n == 0 {
		return
	}
	*list = make([]int64, n)
	for i := range *list {
		r.do(r.b.ReadInt64(&(*list)[i], 0, true))
	}
}
