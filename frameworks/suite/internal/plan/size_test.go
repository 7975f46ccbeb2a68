package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSizesOfRequestAndReply(t *testing.T) {
	for _, c := range []struct {
		about, text string
		size        Size
		name        string // "" for an error
	}{
		{"one size for both", "1KiB", Size{1 << 10, 1 << 10}, "1KiB"},
		{"one for each", "1KiB:16KiB", Size{1 << 10, 16 << 10}, "1KiB:16KiB"},
		{"a reply of no bytes", "1MiB:0B", Size{1 << 20, 0}, "1MiB:0B"},
		{"twice the same is one", "64B:64B", Size{64, 64}, "64B"},
		{"the same in other units", "1024B:1KiB", Size{1 << 10, 1 << 10}, "1KiB"},
		{"a reply without its size", "1KiB:", Size{}, ""},
		{"a request without its size", ":1KiB", Size{}, ""},
		{"three sizes", "1KiB:1KiB:1KiB", Size{}, ""},
		{"another mark", "1KiB/16KiB", Size{}, ""},
	} {
		size, err := ReadSize(c.text)
		if c.name == "" {
			assert.ErrorContains(t, err, "is not a size", c.about)
			continue
		}
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.size, size, c.about)
		assert.Equal(t, c.name, size.String(), c.about)
	}
}

func TestListsKnowWhetherTheyWereGiven(t *testing.T) {
	l := NewList("1,2", Positive)
	assert.False(t, l.Given(), "its default was not")
	assert.NoError(t, l.Set("1,2"))
	assert.True(t, l.Given(), "even if it is the default")
}
