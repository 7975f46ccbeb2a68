// Package plain holds the messages of all frameworks as Go structs without generated code,
// for serializers that use reflection.
package plain

// EchoMessage is the echo message.
type EchoMessage struct {
	Action string
	Msg    []byte
}

// BenchMessage is the bench message. Optional fields are pointers, because their
// presence is part of the message. (Gob does not send zero values, so a pointer to one
// arrives as nil.)
type BenchMessage struct {
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
