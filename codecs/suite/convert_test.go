package suite

import (
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestConvertFindsFieldsByTheirNames(t *testing.T) {
	var small struct {
		Id      *int64
		Name_   *string
		Active  bool
		Score   *float64
		private int
	}
	_ = small.private
	want := messages.KindSmall.Seeded(1)
	require.NoError(t, Convert(&small, want))
	got := new(messages.Small)
	require.NoError(t, Convert(got, &small))
	assert.Equal(t, want, got)
	assert.Error(t, Convert(&struct{ ID []int }{}, want), "types that do not fit are an error")
	assert.Error(t, Convert(&struct{ Other int64 }{}, want), "names that do not fit as well")
}

func TestConvertTypes(t *testing.T) {
	type inner struct{ N int32 }
	type from struct {
		Unsigned uint32
		Signed   int64
		Float    float32
		Text     string
		Flag     bool
		Maybe    *int32
		Absent   *int32
		Map      map[string]uint8
		List     []inner
		Bytes    []byte
		Nothing  []inner
		XXX_junk int //nolint:unused
	}
	type to struct {
		UNSIGNED  *int32
		Si_gned   uint64
		Float     float64
		Text      *string
		Flag      *bool
		Maybe     int64
		Absent    int64
		Map       map[string]int16
		List      []*inner
		Bytes     []byte
		Nothing   []*inner
		XXX_cache int
	}
	five := int32(5)
	src := from{
		Unsigned: 7, Signed: 8, Float: 1.5, Text: "x", Flag: true, Maybe: &five, Map: map[string]uint8{"a": 1},
		List: []inner{{1}, {2}}, Bytes: []byte("b"), Nothing: []inner{},
	}
	var got to
	require.NoError(t, Convert(&got, &src))
	seven, text, flag := int32(7), "x", true
	assert.Equal(t, to{
		UNSIGNED: &seven, Si_gned: 8, Float: 1.5, Text: &text, Flag: &flag, Maybe: 5, Map: map[string]int16{"a": 1},
		List: []*inner{{1}, {2}}, Bytes: []byte("b"),
	}, got)
	src.Bytes[0] = 'c'
	assert.Equal(t, "b", string(got.Bytes), "memory is copied")
	for _, row := range []struct {
		dst, src any
		say      string
	}{
		{&struct{ A int }{}, &struct{ A string }{}, "A: cannot convert string to int"},
		{&struct{ A []int }{}, &struct{ A []string }{[]string{"x"}}, "A: cannot convert string to int"},
		{&struct{ A map[string]int }{}, &struct{ A map[string]bool }{map[string]bool{"x": true}}, "A: cannot convert bool to int"},
		{&struct{ A struct{ B int } }{}, &struct{ A struct{ B string } }{}, "A: B: cannot convert string to int"},
		{&struct{ A int }{}, &struct{ B int }{}, "not both have"},
	} {
		assert.ErrorContains(t, Convert(row.dst, row.src), row.say)
	}
}
