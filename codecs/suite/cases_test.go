package suite

import (
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/property"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProperties(t *testing.T) {
	right := property.Properties{
		Alias: "copies", Input: "kept", TextOut: "replaces", TextIn: "replaces",
		Presence: "kept", Deterministic: "yes", Evolution: "skips",
	}
	with := func(change func(p *property.Properties)) property.Properties {
		p := right
		change(&p)
		return p
	}
	for _, row := range []struct {
		sentence string
		entry    Entry
		want     property.Properties
	}{
		{"encoding/json has no surprises", fakes[0], right},
		{"a string that is part of the input is found", fakes[1], with(func(p *property.Properties) { p.Alias = "shares" })},
		{"writing to the input is found", fakes[2], with(func(p *property.Properties) { p.Input = "changed" })},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			got, err := row.entry.properties()
			require.NoError(t, err)
			assert.Equal(t, row.want, got)
		})
	}
}

func TestPropertiesWantLossesToBeDeclaredAndSo(t *testing.T) {
	_, err := fakes[5].properties()
	assert.Error(t, err, "what is lost is declared")
	e := fakes[0]
	e.Losses = []Loss{ZeroIsAbsent}
	_, err = e.properties()
	assert.ErrorContains(t, err, "is declared, and not so")
}
