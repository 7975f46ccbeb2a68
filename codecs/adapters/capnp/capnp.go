// Package capnp measures go-capnp. Messages are built from Go structs and read in
// place.
package capnp

import (
	"encoding/binary"

	"capnproto.org/go/capnp/v3"

	"github.com/rpcbench/rpcbench/codecs/adapters/capnp/schema"
	"github.com/rpcbench/rpcbench/codecs/suite"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Entry is the line of the table.
func Entry() suite.Entry {
	return suite.Entry{
		Codec: "capnp", About: "Cap'n Proto, read in place", Code: "capnpc-go, .capnp", Module: "capnproto.org/go/capnp/v3",
		Bench:  suite.Of(flat(writeBench, readBench).codec),
		Flat:   suite.Of(flat(writeFlat, readFlat).codec),
		Small:  suite.Of(kind[messages.Small, schema.Small]{schema.NewRootSmall, schema.ReadRootSmall, writeSmall, readSmall, touchSmall}.codec),
		Large:  suite.Of(kind[messages.Large, schema.Large]{schema.NewRootLarge, schema.ReadRootLarge, writeLarge, readLarge, touchLarge}.codec),
		Next:   suite.Of(kind[messages.Next, schema.Next]{schema.NewRootNext, schema.ReadRootNext, writeNext, readNext, touchNext}.codec),
		Shares: true,
		Losses: []suite.Loss{suite.AbsentNumberIsZero, suite.EmptyTextIsAbsent},
	}
}

// native is a message in both forms: the struct to build from, and the root to read.
type native[M, R any] struct {
	from  *M
	msg   *capnp.Message
	arena capnp.ReadOnlySingleSegment // of a message that is used again
	root  R
}

// unmarshal reads src in place. A message that was released is used again without the
// library's Unmarshal, which always makes a new one: as the library's own benchmark
// of reuse does, with the header checked.
func (m *native[M, R]) unmarshal(src []byte) (err error) {
	const header, word = 8, 8
	if m.msg == nil || len(src) < header || binary.LittleEndian.Uint32(src) != 0 ||
		uint64(binary.LittleEndian.Uint32(src[4:]))*word != uint64(len(src)-header) {
		m.msg, err = capnp.Unmarshal(src)
		return err
	}
	m.arena.ReplaceData(src[header:])
	_, err = m.msg.Reset(&m.arena)
	return err
}

// release gives what was allocated to read a message back to the library's pools, as
// its documentation advises.
func (m *native[M, R]) release() {
	if m.msg != nil {
		m.msg.Release()
	}
}

// kind converts a message M into a root R and back.
type kind[M, R any] struct {
	newRoot  func(*capnp.Segment) (R, error)
	readRoot func(*capnp.Message) (R, error)
	write    func(to R, m *M) error
	read     func(m *M, from R) error
	touch    func(R) uint64
}

func flat[M any](write func(schema.Flat, *M) error, read func(*M, schema.Flat) error) kind[M, schema.Flat] {
	return kind[M, schema.Flat]{schema.NewRootFlat, schema.ReadRootFlat, write, read, touchFlat}
}

func (k kind[M, R]) codec() suite.Serializer[native[M, R]] {
	var w suite.Writer
	var again capnp.Message
	encoder := capnp.NewEncoder(&w)
	return suite.Serializer[native[M, R]]{
		Append: func(dst []byte, m *native[M, R]) ([]byte, error) {
			if err := k.build(&again, m.from); err != nil {
				return dst, err
			}
			w = dst
			err := encoder.Encode(&again)
			return w, err
		},
		Marshal: func(m *native[M, R]) ([]byte, error) {
			var msg capnp.Message
			defer msg.Release()
			if err := k.build(&msg, m.from); err != nil {
				return nil, err
			}
			return msg.Marshal()
		},
		Unmarshal: func(src []byte, m *native[M, R]) (err error) {
			if err = m.unmarshal(src); err == nil {
				m.root, err = k.readRoot(m.msg)
			}
			return err
		},
		Reset: func(m *native[M, R]) { m.release() },
		Touch: func(m *native[M, R]) uint64 {
			defer m.release()
			return k.touch(m.root)
		},
		Build: func(m *native[M, R], message any) error {
			m.from = new(M)
			return suite.Convert(m.from, message)
		},
		Read: func(message any, m *native[M, R]) error { return k.read(message.(*M), m.root) },
	}
}

// build builds a message in memory from the library's pool, to which the memory of the
// message before goes back.
func (k kind[M, R]) build(msg *capnp.Message, m *M) error {
	segment, err := msg.Reset(capnp.SingleSegment(nil))
	if err != nil {
		return err
	}
	root, err := k.newRoot(segment)
	if err != nil {
		return err
	}
	return k.write(root, m)
}

// errs keeps the first of several errors.
type errs struct{ first error }

func (e *errs) add(err error) {
	if e.first == nil {
		e.first = err
	}
}

func pointer[T any](v T) *T { return &v }

func readText(e *errs, get func() (string, error)) string {
	s, err := get()
	e.add(err)
	return s
}

func writeUint64s(list []uint64, make func(int32) (capnp.UInt64List, error)) error {
	if len(list) == 0 {
		return nil
	}
	to, err := make(int32(len(list)))
	if err != nil {
		return err
	}
	for i, v := range list {
		to.Set(i, v)
	}
	return nil
}

func readUint64s(e *errs, get func() (capnp.UInt64List, error)) (list []uint64) {
	from, err := get()
	e.add(err)
	for i := range from.Len() {
		list = append(list, from.At(i))
	}
	return list
}

func touchText(get func() ([]byte, error)) uint64 {
	b, _ := get() // errors are ignored, so that the test of hostile input reads the other fields too
	return uint64(len(b))
}

func touchUint64s(get func() (capnp.UInt64List, error)) (sum uint64) {
	list, _ := get()
	for i := range list.Len() {
		sum += list.At(i)
	}
	return sum
}

func touchBool(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}
