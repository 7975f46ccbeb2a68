package suite

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLosses(t *testing.T) {
	type message struct {
		Number, Zero, None  *int
		Text, Empty, NoText *string
		Always              int
	}
	full := func() *message {
		one, zero, text, empty := 1, 0, "x", ""
		return &message{Number: &one, Zero: &zero, Text: &text, Empty: &empty}
	}
	for _, row := range []struct {
		loss Loss
		want func(m *message)
	}{
		{ZeroIsAbsent, func(m *message) { m.Zero, m.Empty = nil, nil }},
		{AbsentNumberIsZero, func(m *message) { m.None = new(int) }},
		{AbsentTextIsEmpty, func(m *message) { m.NoText = new(string) }},
		{EmptyTextIsAbsent, func(m *message) { m.Empty = nil }},
	} {
		got, want := full(), full()
		row.loss.lose(got)
		row.want(want)
		assert.Equal(t, want, got, row.loss.About)
	}
}
