// Code generated from package messages. DO NOT EDIT.

// Package native holds the messages for code generated beside them.
package native

// Bench is the bench message of everyday RPC: 40 fields, most of them optional,
// whose presence is part of the message.
type Bench struct {
	Field1   string   `json:"field1"`
	Field2   int32    `json:"field2"`
	Field3   int32    `json:"field3"`
	Field4   *string  `json:"field4,omitempty"`
	Field5   []uint64 `json:"field5,omitempty"`
	Field6   *int32   `json:"field6,omitempty"`
	Field7   *string  `json:"field7,omitempty"`
	Field9   *string  `json:"field9,omitempty"`
	Field12  *bool    `json:"field12,omitempty"`
	Field13  *bool    `json:"field13,omitempty"`
	Field14  *bool    `json:"field14,omitempty"`
	Field16  *int32   `json:"field16,omitempty"`
	Field17  *bool    `json:"field17,omitempty"`
	Field18  *string  `json:"field18,omitempty"`
	Field22  *int64   `json:"field22,omitempty"`
	Field23  *int32   `json:"field23,omitempty"`
	Field24  *bool    `json:"field24,omitempty"`
	Field25  *int32   `json:"field25,omitempty"`
	Field29  *int32   `json:"field29,omitempty"`
	Field30  *bool    `json:"field30,omitempty"`
	Field59  *bool    `json:"field59,omitempty"`
	Field60  *int32   `json:"field60,omitempty"`
	Field67  *int32   `json:"field67,omitempty"`
	Field68  *int32   `json:"field68,omitempty"`
	Field78  *bool    `json:"field78,omitempty"`
	Field80  *bool    `json:"field80,omitempty"`
	Field81  *bool    `json:"field81,omitempty"`
	Field100 *int32   `json:"field100,omitempty"`
	Field101 *int32   `json:"field101,omitempty"`
	Field102 *string  `json:"field102,omitempty"`
	Field103 *string  `json:"field103,omitempty"`
	Field104 *int32   `json:"field104,omitempty"`
	Field128 *int32   `json:"field128,omitempty"`
	Field129 *string  `json:"field129,omitempty"`
	Field130 *int32   `json:"field130,omitempty"`
	Field131 *int32   `json:"field131,omitempty"`
	Field150 *int32   `json:"field150,omitempty"`
	Field271 *int32   `json:"field271,omitempty"`
	Field272 *int32   `json:"field272,omitempty"`
	Field280 *int32   `json:"field280,omitempty"`
}

// Flat has the same fields by value, none of them optional.
type Flat struct {
	Field1   string   `json:"field1"`
	Field2   int32    `json:"field2"`
	Field3   int32    `json:"field3"`
	Field4   string   `json:"field4"`
	Field5   []uint64 `json:"field5,omitempty"`
	Field6   int32    `json:"field6"`
	Field7   string   `json:"field7"`
	Field9   string   `json:"field9"`
	Field12  bool     `json:"field12"`
	Field13  bool     `json:"field13"`
	Field14  bool     `json:"field14"`
	Field16  int32    `json:"field16"`
	Field17  bool     `json:"field17"`
	Field18  string   `json:"field18"`
	Field22  int64    `json:"field22"`
	Field23  int32    `json:"field23"`
	Field24  bool     `json:"field24"`
	Field25  int32    `json:"field25"`
	Field29  int32    `json:"field29"`
	Field30  bool     `json:"field30"`
	Field59  bool     `json:"field59"`
	Field60  int32    `json:"field60"`
	Field67  int32    `json:"field67"`
	Field68  int32    `json:"field68"`
	Field78  bool     `json:"field78"`
	Field80  bool     `json:"field80"`
	Field81  bool     `json:"field81"`
	Field100 int32    `json:"field100"`
	Field101 int32    `json:"field101"`
	Field102 string   `json:"field102"`
	Field103 string   `json:"field103"`
	Field104 int32    `json:"field104"`
	Field128 int32    `json:"field128"`
	Field129 string   `json:"field129"`
	Field130 int32    `json:"field130"`
	Field131 int32    `json:"field131"`
	Field150 int32    `json:"field150"`
	Field271 int32    `json:"field271"`
	Field272 int32    `json:"field272"`
	Field280 int32    `json:"field280"`
}

// Small is a message of some 27 bytes in protobuf.
type Small struct {
	ID     int64   `json:"id"`
	Name   string  `json:"name"`
	Active bool    `json:"active"`
	Score  float64 `json:"score"`
}

// Next is what Small becomes in a later release: readers of Small meet it. A
// field was added in the middle, for formats that go by the order.
type Next struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Note   string   `json:"note"`
	Active bool     `json:"active"`
	Score  float64  `json:"score"`
	Marks  []uint64 `json:"marks"`
	Label  Label    `json:"label"`
}

// Large is a message of nested ones, some 7.4 KB in protobuf.
type Large struct {
	ID    string `json:"id"`
	TS    int64  `json:"ts"`
	Items []Item `json:"items"`
}

// Item is one of 32 in a Large.
type Item struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Price  float64  `json:"price"`
	Flags  int32    `json:"flags"`
	Active bool     `json:"active"`
	Labels []Label  `json:"labels"`
	Vals   []uint64 `json:"vals"`
	Blob   []byte   `json:"blob"`
}

// Label is a pair in an Item.
type Label struct {
	Key string `json:"key"`
	Val string `json:"val"`
}

// Mapped is for what is particular to maps. It is not measured.
type Mapped struct {
	Entries map[string]string `json:"entries"`
}

// Reset empties a message and keeps the memory of its lists for the next one to be
// decoded. Nothing of the old message is left in that memory.
func (m *Bench) Reset() { *m = Bench{Field5: m.Field5[:0]} }

// Reset is as that of Bench.
func (m *Flat) Reset() { *m = Flat{Field5: m.Field5[:0]} }

// Reset is as that of Bench.
func (m *Small) Reset() { *m = Small{} }

// Reset is as that of Bench.
func (m *Next) Reset() { *m = Next{Marks: m.Marks[:0]} }

// Reset is as that of Bench. Decoders find the lists of items beyond the length.
func (m *Large) Reset() {
	items := m.Items[:cap(m.Items)]
	for i := range items {
		items[i].Reset()
	}
	*m = Large{Items: items[:0]}
}

// Reset is as that of Bench.
func (m *Item) Reset() {
	clear(m.Labels[:cap(m.Labels)])
	*m = Item{Labels: m.Labels[:0], Vals: m.Vals[:0], Blob: m.Blob[:0]}
}

// Reset is as that of Bench.
func (m *Mapped) Reset() { clear(m.Entries) }
