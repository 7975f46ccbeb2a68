// Package tars holds the messages of all frameworks as TarsGo's generator tars2go would
// generate them from testdata/bench.tars. They are written by hand because tars2go is not available
// as a Go tool.
package tars

import "github.com/TarsCloud/TarsGo/tars/protocol/codec"

// EchoMessage is the echo message.
type EchoMessage struct {
	Action string
	Msg    []uint8
}

// WriteTo encodes the fields.
func (m *EchoMessage) WriteTo(b *codec.Buffer) error {
	w := writer{b: b}
	w.do(b.WriteString(m.Action, 0))
	w.bytes(m.Msg, 1)
	return w.err
}

// ReadFrom decodes the fields.
func (m *EchoMessage) ReadFrom(b *codec.Reader) error {
	r := reader{b: b}
	r.do(b.ReadString(&m.Action, 0, true))
	r.bytes(&m.Msg, 1)
	return r.err
}

// BenchMessage is the bench message. Tars has no presence: an absent optional field has
// its zero value.
type BenchMessage struct {
	Field1   string
	Field2   int32
	Field3   int32
	Field4   string
	Field5   []int64
	Field6   int32
	Field7   string
	Field9   string
	Field12  bool
	Field13  bool
	Field14  bool
	Field16  int32
	Field17  bool
	Field18  string
	Field22  int64
	Field23  int32
	Field24  bool
	Field25  int32
	Field29  int32
	Field30  bool
	Field59  bool
	Field60  int32
	Field67  int32
	Field68  int32
	Field78  bool
	Field80  bool
	Field81  bool
	Field100 int32
	Field101 int32
	Field102 string
	Field103 string
	Field104 int32
	Field128 int32
	Field129 string
	Field130 int32
	Field131 int32
	Field150 int32
	Field271 int32
	Field272 int32
	Field280 int32
}

// WriteTo encodes the fields.
func (m *BenchMessage) WriteTo(b *codec.Buffer) error {
	w := writer{b: b}
	w.do(b.WriteString(m.Field1, 1))
	w.do(b.WriteInt32(m.Field2, 2))
	w.do(b.WriteInt32(m.Field3, 3))
	w.do(b.WriteString(m.Field4, 4))
	w.longs(m.Field5, 5)
	w.do(b.WriteInt32(m.Field6, 6))
	w.do(b.WriteString(m.Field7, 7))
	w.do(b.WriteString(m.Field9, 9))
	w.do(b.WriteBool(m.Field12, 12))
	w.do(b.WriteBool(m.Field13, 13))
	w.do(b.WriteBool(m.Field14, 14))
	w.do(b.WriteInt32(m.Field16, 16))
	w.do(b.WriteBool(m.Field17, 17))
	w.do(b.WriteString(m.Field18, 18))
	w.do(b.WriteInt64(m.Field22, 22))
	w.do(b.WriteInt32(m.Field23, 23))
	w.do(b.WriteBool(m.Field24, 24))
	w.do(b.WriteInt32(m.Field25, 25))
	w.do(b.WriteInt32(m.Field29, 29))
	w.do(b.WriteBool(m.Field30, 30))
	w.do(b.WriteBool(m.Field59, 59))
	w.do(b.WriteInt32(m.Field60, 60))
	w.do(b.WriteInt32(m.Field67, 67))
	w.do(b.WriteInt32(m.Field68, 68))
	w.do(b.WriteBool(m.Field78, 78))
	w.do(b.WriteBool(m.Field80, 80))
	w.do(b.WriteBool(m.Field81, 81))
	w.do(b.WriteInt32(m.Field100, 100))
	w.do(b.WriteInt32(m.Field101, 101))
	w.do(b.WriteString(m.Field102, 102))
	w.do(b.WriteString(m.Field103, 103))
	w.do(b.WriteInt32(m.Field104, 104))
	w.do(b.WriteInt32(m.Field128, 128))
	w.do(b.WriteString(m.Field129, 129))
	w.do(b.WriteInt32(m.Field130, 130))
	w.do(b.WriteInt32(m.Field131, 131))
	w.do(b.WriteInt32(m.Field150, 150))
	w.do(b.WriteInt32(m.Field271, 200))
	w.do(b.WriteInt32(m.Field272, 201))
	w.do(b.WriteInt32(m.Field280, 202))
	return w.err
}

// ReadFrom decodes the fields.
func (m *BenchMessage) ReadFrom(b *codec.Reader) error {
	r := reader{b: b}
	r.do(b.ReadString(&m.Field1, 1, true))
	r.do(b.ReadInt32(&m.Field2, 2, true))
	r.do(b.ReadInt32(&m.Field3, 3, true))
	r.do(b.ReadString(&m.Field4, 4, false))
	r.longs(&m.Field5, 5)
	r.do(b.ReadInt32(&m.Field6, 6, false))
	r.do(b.ReadString(&m.Field7, 7, false))
	r.do(b.ReadString(&m.Field9, 9, false))
	r.do(b.ReadBool(&m.Field12, 12, false))
	r.do(b.ReadBool(&m.Field13, 13, false))
	r.do(b.ReadBool(&m.Field14, 14, false))
	r.do(b.ReadInt32(&m.Field16, 16, false))
	r.do(b.ReadBool(&m.Field17, 17, false))
	r.do(b.ReadString(&m.Field18, 18, false))
	r.do(b.ReadInt64(&m.Field22, 22, false))
	r.do(b.ReadInt32(&m.Field23, 23, false))
	r.do(b.ReadBool(&m.Field24, 24, false))
	r.do(b.ReadInt32(&m.Field25, 25, false))
	r.do(b.ReadInt32(&m.Field29, 29, false))
	r.do(b.ReadBool(&m.Field30, 30, false))
	r.do(b.ReadBool(&m.Field59, 59, false))
	r.do(b.ReadInt32(&m.Field60, 60, false))
	r.do(b.ReadInt32(&m.Field67, 67, false))
	r.do(b.ReadInt32(&m.Field68, 68, false))
	r.do(b.ReadBool(&m.Field78, 78, false))
	r.do(b.ReadBool(&m.Field80, 80, false))
	r.do(b.ReadBool(&m.Field81, 81, false))
	r.do(b.ReadInt32(&m.Field100, 100, false))
	r.do(b.ReadInt32(&m.Field101, 101, false))
	r.do(b.ReadString(&m.Field102, 102, false))
	r.do(b.ReadString(&m.Field103, 103, false))
	r.do(b.ReadInt32(&m.Field104, 104, false))
	r.do(b.ReadInt32(&m.Field128, 128, false))
	r.do(b.ReadString(&m.Field129, 129, false))
	r.do(b.ReadInt32(&m.Field130, 130, false))
	r.do(b.ReadInt32(&m.Field131, 131, false))
	r.do(b.ReadInt32(&m.Field150, 150, false))
	r.do(b.ReadInt32(&m.Field271, 200, false))
	r.do(b.ReadInt32(&m.Field272, 201, false))
	r.do(b.ReadInt32(&m.Field280, 202, false))
	return r.err
}
