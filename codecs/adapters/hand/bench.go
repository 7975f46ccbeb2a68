package hand

import (
	"encoding/binary"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// appendBench writes a bit for each optional field, set if the field is present, and
// then the present fields in their order.
func appendBench(dst []byte, m *messages.Bench) []byte {
	at, bits := len(dst), uint64(0)
	dst = putUint64(dst, 0)
	dst = putString(dst, m.Field1)
	dst = putInt32(dst, m.Field2)
	dst = putInt32(dst, m.Field3)
	if m.Field4 != nil {
		bits |= 1 << 0
		dst = putString(dst, *m.Field4)
	}
	dst = putUint64s(dst, m.Field5)
	if m.Field6 != nil {
		bits |= 1 << 1
		dst = putInt32(dst, *m.Field6)
	}
	if m.Field7 != nil {
		bits |= 1 << 2
		dst = putString(dst, *m.Field7)
	}
	if m.Field9 != nil {
		bits |= 1 << 3
		dst = putString(dst, *m.Field9)
	}
	if m.Field12 != nil {
		bits |= 1 << 4
		dst = putBool(dst, *m.Field12)
	}
	if m.Field13 != nil {
		bits |= 1 << 5
		dst = putBool(dst, *m.Field13)
	}
	if m.Field14 != nil {
		bits |= 1 << 6
		dst = putBool(dst, *m.Field14)
	}
	if m.Field16 != nil {
		bits |= 1 << 7
		dst = putInt32(dst, *m.Field16)
	}
	if m.Field17 != nil {
		bits |= 1 << 8
		dst = putBool(dst, *m.Field17)
	}
	if m.Field18 != nil {
		bits |= 1 << 9
		dst = putString(dst, *m.Field18)
	}
	if m.Field22 != nil {
		bits |= 1 << 10
		dst = putInt64(dst, *m.Field22)
	}
	if m.Field23 != nil {
		bits |= 1 << 11
		dst = putInt32(dst, *m.Field23)
	}
	if m.Field24 != nil {
		bits |= 1 << 12
		dst = putBool(dst, *m.Field24)
	}
	if m.Field25 != nil {
		bits |= 1 << 13
		dst = putInt32(dst, *m.Field25)
	}
	if m.Field29 != nil {
		bits |= 1 << 14
		dst = putInt32(dst, *m.Field29)
	}
	if m.Field30 != nil {
		bits |= 1 << 15
		dst = putBool(dst, *m.Field30)
	}
	if m.Field59 != nil {
		bits |= 1 << 16
		dst = putBool(dst, *m.Field59)
	}
	if m.Field60 != nil {
		bits |= 1 << 17
		dst = putInt32(dst, *m.Field60)
	}
	if m.Field67 != nil {
		bits |= 1 << 18
		dst = putInt32(dst, *m.Field67)
	}
	if m.Field68 != nil {
		bits |= 1 << 19
		dst = putInt32(dst, *m.Field68)
	}
	if m.Field78 != nil {
		bits |= 1 << 20
		dst = putBool(dst, *m.Field78)
	}
	if m.Field80 != nil {
		bits |= 1 << 21
		dst = putBool(dst, *m.Field80)
	}
	if m.Field81 != nil {
		bits |= 1 << 22
		dst = putBool(dst, *m.Field81)
	}
	if m.Field100 != nil {
		bits |= 1 << 23
		dst = putInt32(dst, *m.Field100)
	}
	if m.Field101 != nil {
		bits |= 1 << 24
		dst = putInt32(dst, *m.Field101)
	}
	if m.Field102 != nil {
		bits |= 1 << 25
		dst = putString(dst, *m.Field102)
	}
	if m.Field103 != nil {
		bits |= 1 << 26
		dst = putString(dst, *m.Field103)
	}
	if m.Field104 != nil {
		bits |= 1 << 27
		dst = putInt32(dst, *m.Field104)
	}
	if m.Field128 != nil {
		bits |= 1 << 28
		dst = putInt32(dst, *m.Field128)
	}
	if m.Field129 != nil {
		bits |= 1 << 29
		dst = putString(dst, *m.Field129)
	}
	if m.Field130 != nil {
		bits |= 1 << 30
		dst = putInt32(dst, *m.Field130)
	}
	if m.Field131 != nil {
		bits |= 1 << 31
		dst = putInt32(dst, *m.Field131)
	}
	if m.Field150 != nil {
		bits |= 1 << 32
		dst = putInt32(dst, *m.Field150)
	}
	if m.Field271 != nil {
		bits |= 1 << 33
		dst = putInt32(dst, *m.Field271)
	}
	if m.Field272 != nil {
		bits |= 1 << 34
		dst = putInt32(dst, *m.Field272)
	}
	if m.Field280 != nil {
		bits |= 1 << 35
		dst = putInt32(dst, *m.Field280)
	}
	binary.LittleEndian.PutUint64(dst[at:], bits)
	return dst
}

// benchFields holds the optional fields of a Bench in one piece of memory.
type benchFields struct {
	field4   string
	field6   int32
	field7   string
	field9   string
	field12  bool
	field13  bool
	field14  bool
	field16  int32
	field17  bool
	field18  string
	field22  int64
	field23  int32
	field24  bool
	field25  int32
	field29  int32
	field30  bool
	field59  bool
	field60  int32
	field67  int32
	field68  int32
	field78  bool
	field80  bool
	field81  bool
	field100 int32
	field101 int32
	field102 string
	field103 string
	field104 int32
	field128 int32
	field129 string
	field130 int32
	field131 int32
	field150 int32
	field271 int32
	field272 int32
	field280 int32
}

func readBench(r *reader, m *messages.Bench) {
	bits, fields := r.uint64(), new(benchFields)
	m.Field1 = r.string()
	m.Field2 = r.int32()
	m.Field3 = r.int32()
	if bits&(1<<0) != 0 {
		fields.field4 = r.string()
		m.Field4 = &fields.field4
	}
	m.Field5 = r.uint64s(m.Field5)
	if bits&(1<<1) != 0 {
		fields.field6 = r.int32()
		m.Field6 = &fields.field6
	}
	if bits&(1<<2) != 0 {
		fields.field7 = r.string()
		m.Field7 = &fields.field7
	}
	if bits&(1<<3) != 0 {
		fields.field9 = r.string()
		m.Field9 = &fields.field9
	}
	if bits&(1<<4) != 0 {
		fields.field12 = r.bool()
		m.Field12 = &fields.field12
	}
	if bits&(1<<5) != 0 {
		fields.field13 = r.bool()
		m.Field13 = &fields.field13
	}
	if bits&(1<<6) != 0 {
		fields.field14 = r.bool()
		m.Field14 = &fields.field14
	}
	if bits&(1<<7) != 0 {
		fields.field16 = r.int32()
		m.Field16 = &fields.field16
	}
	if bits&(1<<8) != 0 {
		fields.field17 = r.bool()
		m.Field17 = &fields.field17
	}
	if bits&(1<<9) != 0 {
		fields.field18 = r.string()
		m.Field18 = &fields.field18
	}
	if bits&(1<<10) != 0 {
		fields.field22 = r.int64()
		m.Field22 = &fields.field22
	}
	if bits&(1<<11) != 0 {
		fields.field23 = r.int32()
		m.Field23 = &fields.field23
	}
	if bits&(1<<12) != 0 {
		fields.field24 = r.bool()
		m.Field24 = &fields.field24
	}
	if bits&(1<<13) != 0 {
		fields.field25 = r.int32()
		m.Field25 = &fields.field25
	}
	if bits&(1<<14) != 0 {
		fields.field29 = r.int32()
		m.Field29 = &fields.field29
	}
	if bits&(1<<15) != 0 {
		fields.field30 = r.bool()
		m.Field30 = &fields.field30
	}
	if bits&(1<<16) != 0 {
		fields.field59 = r.bool()
		m.Field59 = &fields.field59
	}
	if bits&(1<<17) != 0 {
		fields.field60 = r.int32()
		m.Field60 = &fields.field60
	}
	if bits&(1<<18) != 0 {
		fields.field67 = r.int32()
		m.Field67 = &fields.field67
	}
	if bits&(1<<19) != 0 {
		fields.field68 = r.int32()
		m.Field68 = &fields.field68
	}
	if bits&(1<<20) != 0 {
		fields.field78 = r.bool()
		m.Field78 = &fields.field78
	}
	if bits&(1<<21) != 0 {
		fields.field80 = r.bool()
		m.Field80 = &fields.field80
	}
	if bits&(1<<22) != 0 {
		fields.field81 = r.bool()
		m.Field81 = &fields.field81
	}
	if bits&(1<<23) != 0 {
		fields.field100 = r.int32()
		m.Field100 = &fields.field100
	}
	if bits&(1<<24) != 0 {
		fields.field101 = r.int32()
		m.Field101 = &fields.field101
	}
	if bits&(1<<25) != 0 {
		fields.field102 = r.string()
		m.Field102 = &fields.field102
	}
	if bits&(1<<26) != 0 {
		fields.field103 = r.string()
		m.Field103 = &fields.field103
	}
	if bits&(1<<27) != 0 {
		fields.field104 = r.int32()
		m.Field104 = &fields.field104
	}
	if bits&(1<<28) != 0 {
		fields.field128 = r.int32()
		m.Field128 = &fields.field128
	}
	if bits&(1<<29) != 0 {
		fields.field129 = r.string()
		m.Field129 = &fields.field129
	}
	if bits&(1<<30) != 0 {
		fields.field130 = r.int32()
		m.Field130 = &fields.field130
	}
	if bits&(1<<31) != 0 {
		fields.field131 = r.int32()
		m.Field131 = &fields.field131
	}
	if bits&(1<<32) != 0 {
		fields.field150 = r.int32()
		m.Field150 = &fields.field150
	}
	if bits&(1<<33) != 0 {
		fields.field271 = r.int32()
		m.Field271 = &fields.field271
	}
	if bits&(1<<34) != 0 {
		fields.field272 = r.int32()
		m.Field272 = &fields.field272
	}
	if bits&(1<<35) != 0 {
		fields.field280 = r.int32()
		m.Field280 = &fields.field280
	}
}

func appendFlat(dst []byte, m *messages.Flat) []byte {
	dst = putString(dst, m.Field1)
	dst = putInt32(dst, m.Field2)
	dst = putInt32(dst, m.Field3)
	dst = putString(dst, m.Field4)
	dst = putUint64s(dst, m.Field5)
	dst = putInt32(dst, m.Field6)
	dst = putString(dst, m.Field7)
	dst = putString(dst, m.Field9)
	dst = putBool(dst, m.Field12)
	dst = putBool(dst, m.Field13)
	dst = putBool(dst, m.Field14)
	dst = putInt32(dst, m.Field16)
	dst = putBool(dst, m.Field17)
	dst = putString(dst, m.Field18)
	dst = putInt64(dst, m.Field22)
	dst = putInt32(dst, m.Field23)
	dst = putBool(dst, m.Field24)
	dst = putInt32(dst, m.Field25)
	dst = putInt32(dst, m.Field29)
	dst = putBool(dst, m.Field30)
	dst = putBool(dst, m.Field59)
	dst = putInt32(dst, m.Field60)
	dst = putInt32(dst, m.Field67)
	dst = putInt32(dst, m.Field68)
	dst = putBool(dst, m.Field78)
	dst = putBool(dst, m.Field80)
	dst = putBool(dst, m.Field81)
	dst = putInt32(dst, m.Field100)
	dst = putInt32(dst, m.Field101)
	dst = putString(dst, m.Field102)
	dst = putString(dst, m.Field103)
	dst = putInt32(dst, m.Field104)
	dst = putInt32(dst, m.Field128)
	dst = putString(dst, m.Field129)
	dst = putInt32(dst, m.Field130)
	dst = putInt32(dst, m.Field131)
	dst = putInt32(dst, m.Field150)
	dst = putInt32(dst, m.Field271)
	dst = putInt32(dst, m.Field272)
	dst = putInt32(dst, m.Field280)
	return dst
}

func readFlat(r *reader, m *messages.Flat) {
	m.Field1 = r.string()
	m.Field2 = r.int32()
	m.Field3 = r.int32()
	m.Field4 = r.string()
	m.Field5 = r.uint64s(m.Field5)
	m.Field6 = r.int32()
	m.Field7 = r.string()
	m.Field9 = r.string()
	m.Field12 = r.bool()
	m.Field13 = r.bool()
	m.Field14 = r.bool()
	m.Field16 = r.int32()
	m.Field17 = r.bool()
	m.Field18 = r.string()
	m.Field22 = r.int64()
	m.Field23 = r.int32()
	m.Field24 = r.bool()
	m.Field25 = r.int32()
	m.Field29 = r.int32()
	m.Field30 = r.bool()
	m.Field59 = r.bool()
	m.Field60 = r.int32()
	m.Field67 = r.int32()
	m.Field68 = r.int32()
	m.Field78 = r.bool()
	m.Field80 = r.bool()
	m.Field81 = r.bool()
	m.Field100 = r.int32()
	m.Field101 = r.int32()
	m.Field102 = r.string()
	m.Field103 = r.string()
	m.Field104 = r.int32()
	m.Field128 = r.int32()
	m.Field129 = r.string()
	m.Field130 = r.int32()
	m.Field131 = r.int32()
	m.Field150 = r.int32()
	m.Field271 = r.int32()
	m.Field272 = r.int32()
	m.Field280 = r.int32()
}
