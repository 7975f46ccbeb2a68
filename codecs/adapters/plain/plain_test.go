package plain_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/rpcbench/rpcbench/codecs/adapters/plain"
)

// Value is a structpb.Value, whose fields are the cases of a oneof.
type Value struct {
	NullValue   *int32
	NumberValue *float64
	StringValue *string
	BoolValue   *bool
	StructValue *Struct
	ListValue   *ListValue
}

type Struct struct{ Fields map[string]Value }

type ListValue struct{ Values []Value }

type Any struct {
	TypeURL string
	Value   []byte
}

func TestConversion(t *testing.T) {
	for _, c := range []struct{ about, text string }{
		{"a case of a oneof", `string_value: "a"`},
		{"a case that is zero", `number_value: 0`},
		{"another that is", `bool_value: false`},
		{"an enum", `null_value: NULL_VALUE`},
		{"NaN", `number_value: nan`},
		{"no case", ``},
		{"an empty message", `struct_value: {}`},
		{"an empty message in a map, and in a list", `struct_value: {fields: {key: "a" value: {}} fields: {key: "" value: {list_value: {values: {} values: {string_value: ""}}}}}`},
	} {
		t.Run(c.about, func(t *testing.T) {
			want, got := &structpb.Value{}, &structpb.Value{}
			require.NoError(t, prototext.Unmarshal([]byte(c.text), want))
			var m Value
			require.NoError(t, plain.Conversion[Value]().Build(&m, want))
			require.NoError(t, plain.Conversion[Value]().Read(got, &m))
			assert.True(t, proto.Equal(want, got), "%v became %v", want, got)
		})
	}
}

func TestStructHasPointersAndValues(t *testing.T) {
	want := &structpb.Value{Kind: &structpb.Value_NumberValue{NumberValue: math.Pi}}
	var m Value
	require.NoError(t, plain.Conversion[Value]().Build(&m, want))
	require.NotNil(t, m.NumberValue)
	assert.Equal(t, math.Pi, *m.NumberValue)
	assert.Nil(t, m.StringValue)
}

func TestBytesAreCopied(t *testing.T) {
	want, got := &anypb.Any{TypeUrl: "a", Value: []byte("bc")}, &anypb.Any{}
	var m Any
	require.NoError(t, plain.Conversion[Any]().Build(&m, want))
	want.Value[0] = 'x'
	assert.Equal(t, Any{"a", []byte("bc")}, m)
	require.NoError(t, plain.Conversion[Any]().Read(got, &m))
	m.Value[0] = 'y'
	assert.Equal(t, "bc", string(got.Value))
}

// Option is a descriptorpb.UninterpretedOption_NamePart, whose fields are required.
type Option struct {
	NamePart    string
	IsExtension bool
}

func TestRequired(t *testing.T) {
	want, got := &descriptorpb.UninterpretedOption_NamePart{NamePart: proto.String(""), IsExtension: proto.Bool(false)}, &descriptorpb.UninterpretedOption_NamePart{}
	var m Option
	require.NoError(t, plain.Conversion[Option]().Build(&m, want))
	require.NoError(t, plain.Conversion[Option]().Read(got, &m))
	assert.True(t, proto.Equal(want, got), "%v became %v", want, got)
}

func TestUnfitStructs(t *testing.T) {
	err := plain.Conversion[ListValue]().Build(&ListValue{}, &structpb.Value{})
	assert.EqualError(t, err, "google.protobuf.Value has 6 fields, unlike plain_test.ListValue")
	type text struct {
		TypeURL int64
		Value   []byte
	}
	err = plain.Conversion[text]().Build(&text{}, &anypb.Any{TypeUrl: "a"})
	assert.EqualError(t, err, "google.protobuf.Any.type_url: string is no int64")
}
