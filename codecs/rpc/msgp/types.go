// Code generated from package plain. DO NOT EDIT.

// Package msgp holds the messages of all frameworks with the methods of tinylib/msgp. The list
// of a decoded message has at most 1,048,576 elements.
package msgp

// EchoMessage is the echo message.
type EchoMessage struct {
	Action string
	Msg    []byte
}

// BenchMessage is the bench message. Optional fields are pointers, because their
// presence is part of the message. (Gob does not send zero values, so a pointer to one
// arrives as nil.)
type BenchMessage struct {
	Field1   string   `msg:"field1"`
	Field2   int32    `msg:"field2"`
	Field3   int32    `msg:"field3"`
	Field4   *string  `msg:"field4,omitempty"`
	Field5   []uint64 `msg:"field5,limit=1048576,omitempty"`
	Field6   *int32   `msg:"field6,omitempty"`
	Field7   *string  `msg:"field7,omitempty"`
	Field9   *string  `msg:"field9,omitempty"`
	Field12  *bool    `msg:"field12,omitempty"`
	Field13  *bool    `msg:"field13,omitempty"`
	Field14  *bool    `msg:"field14,omitempty"`
	Field16  *int32   `msg:"field16,omitempty"`
	Field17  *bool    `msg:"field17,omitempty"`
	Field18  *string  `msg:"field18,omitempty"`
	Field22  *int64   `msg:"field22,omitempty"`
	Field23  *int32   `msg:"field23,omitempty"`
	Field24  *bool    `msg:"field24,omitempty"`
	Field25  *int32   `msg:"field25,omitempty"`
	Field29  *int32   `msg:"field29,omitempty"`
	Field30  *bool    `msg:"field30,omitempty"`
	Field59  *bool    `msg:"field59,omitempty"`
	Field60  *int32   `msg:"field60,omitempty"`
	Field67  *int32   `msg:"field67,omitempty"`
	Field68  *int32   `msg:"field68,omitempty"`
	Field78  *bool    `msg:"field78,omitempty"`
	Field80  *bool    `msg:"field80,omitempty"`
	Field81  *bool    `msg:"field81,omitempty"`
	Field100 *int32   `msg:"field100,omitempty"`
	Field101 *int32   `msg:"field101,omitempty"`
	Field102 *string  `msg:"field102,omitempty"`
	Field103 *string  `msg:"field103,omitempty"`
	Field104 *int32   `msg:"field104,omitempty"`
	Field128 *int32   `msg:"field128,omitempty"`
	Field129 *string  `msg:"field129,omitempty"`
	Field130 *int32   `msg:"field130,omitempty"`
	Field131 *int32   `msg:"field131,omitempty"`
	Field150 *int32   `msg:"field150,omitempty"`
	Field271 *int32   `msg:"field271,omitempty"`
	Field272 *int32   `msg:"field272,omitempty"`
	Field280 *int32   `msg:"field280,omitempty"`
}
