package suite

import (
	"encoding/json"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/race"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reusing is JSON that resets a native in a way of its own.
func reusing[N any](decode func(src []byte), reset func(m *N)) Case {
	return Of(func() Serializer[N] {
		return Serializer[N]{
			Marshal:   func(m *N) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *N) error { decode(src); return json.Unmarshal(src, m) },
			Reset:     reset,
		}
	})
}

// thrifty is a Large whose encoding leaves out what is empty.
type thrifty struct {
	ID    string        `json:",omitempty"`
	TS    int64         `json:",omitempty"`
	Items []thriftyItem `json:",omitempty"`
}

type thriftyItem struct {
	ID     int64            `json:",omitempty"`
	Name   string           `json:",omitempty"`
	Price  float64          `json:",omitempty"`
	Flags  int32            `json:",omitempty"`
	Active bool             `json:",omitempty"`
	Labels []messages.Label `json:",omitempty"`
	Vals   []uint64         `json:",omitempty"`
	Blob   []byte           `json:",omitempty"`
}

func TestMessagesFindWhatIsLost(t *testing.T) {
	err := func(e Entry) error {
		c := e.cases()[0]
		b, err := c.Open(2)
		require.NoError(t, err)
		return conformance.Messages(b, c.Kind, 2, e.expect)
	}
	assert.NoError(t, err(fakes[0]))
	assert.ErrorContains(t, err(fakes[5]), "Field272")
}

func TestReuse(t *testing.T) {
	var last []byte
	nothing := func([]byte) {}
	overwrite := func(src []byte) {
		clear(last)
		last = src
	}
	for _, row := range []struct {
		sentence string
		kind     messages.Kind
		c        Case
		err      string
	}{
		{"lists that keep their memory do no harm", messages.KindLarge, reusing(nothing, (*messages.Large).Reset), ""},
		{"nor do natives that are set to zero", messages.KindBench, reusing[messages.Bench](nothing, nil), ""},
		{
			"what is left of the last message is found", messages.KindBench,
			reusing(nothing, func(*messages.Bench) {}), "after 1 others",
		},
		{
			"so it is in the items of a list", messages.KindLarge,
			reusing(nothing, func(m *thrifty) { *m = thrifty{Items: m.Items[:0]} }), "after 1 others",
		},
		{"writing to an input of before is found", messages.KindSmall, reusing(overwrite, (*messages.Small).Reset), "changes what was decoded before"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			err := conformance.Reuse(bed.Case{Kind: row.kind, New: row.c.make}, Entry{}.expect)
			if row.err == "" {
				require.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, row.err)
		})
	}
}

func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates too")
	}
	var waste [][]byte
	for _, row := range []struct {
		sentence string
		reset    func(m *messages.Large)
		fewer    bool
	}{
		{"memory that is kept is not allocated again", (*messages.Large).Reset, true},
		{"what Reset allocates counts", func(m *messages.Large) {
			*m, waste = messages.Large{}, nil
			for range 3 {
				waste = append(waste, make([]byte, 8))
			}
		}, false},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			fresh, reuse, err := allocations(bed.Case{Kind: messages.KindLarge, New: reusing(func([]byte) {}, row.reset).make})
			require.NoError(t, err)
			assert.Equal(t, row.fewer, reuse < fresh, "%v, with reuse %v", fresh, reuse)
			assert.NotEqual(t, fresh, reuse)
		})
	}
}
