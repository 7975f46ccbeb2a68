package ranking

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// TestWhatLosesHasNoPlace: it does less work than others.
func TestWhatLosesHasNoPlace(t *testing.T) {
	for _, c := range []struct {
		about, name string
		told        []string
		want        bool
	}{
		{"nothing is told", "Codec/codec=gob/msg=Order/op=marshal", nil, false},
		{"a loss", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob loses of Order: paid: false became absent"}, true},
		{"one of another message", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob loses of Other: paid: false became absent"}, false},
		{"one of another serializer", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob-stream loses of Order: paid: false became absent", "json loses of Order: x"}, false},
		{"one of this mode", "Codec/codec=gob/msg=Order/op=marshal/mode=stream", []string{"gob-stream loses of Order: paid: false became absent"}, true},
		{"in a message that is used again, which is not ranked", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob loses of Order: in a used message: paid: changed; in a used message: n: changed; and 2 more"}, false},
		{"in both", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob loses of Order: n: changed; in a used message: paid: changed"}, true},
		{"a refusal", "Codec/codec=gob/msg=Order/op=marshal", []string{"gob refuses Order: loses of Order: all"}, false},
	} {
		v := &material.Variant{Lines: []lines.Line{{Name: lines.ParseName("Benchmark" + c.name)}}}
		assert.Equal(t, c.want, loses(v, c.told), c.about)
	}
}
