package plan

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

func TestSizesOfRequestAndReply(t *testing.T) {
	for _, c := range []struct {
		about, text string
		size        Size
		name        string // "" for an error
	}{
		{"one size for both", "1KiB", Size{Request: 1 << 10, Reply: 1 << 10}, "1KiB"},
		{"one for each", "1KiB:16KiB", Size{Request: 1 << 10, Reply: 16 << 10}, "1KiB:16KiB"},
		{"a reply of no bytes", "1MiB:0B", Size{Request: 1 << 20, Reply: 0}, "1MiB:0B"},
		{"twice the same is one", "64B:64B", Size{Request: 64, Reply: 64}, "64B"},
		{"the same in other units", "1024B:1KiB", Size{Request: 1 << 10, Reply: 1 << 10}, "1KiB"},
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

func TestSizesThatVary(t *testing.T) {
	sizes := filepath.Join(t.TempDir(), "sizes of a day.txt")
	require.NoError(t, os.WriteFile(sizes, []byte("64B\n1KiB\n"), 0o666))
	for _, c := range []struct {
		about, text   string
		mean, largest int
		name          string
	}{
		{"shares", "mix:64B-60_1KiB-30_64KiB-10", 6899, 64 << 10, "mix:64B-60_1KiB-30_64KiB-10"},
		{"a mean", "exponential:1KiB", 1024, 11_226, "exponential:1KiB"},
		{"one of which the reader has the path", "file:" + sizes, 544, 1 << 10, "file:sizes_of_a_day.txt-41d974c1"},
	} {
		size, err := ReadSize(c.text)
		require.NoError(t, err, c.about)
		assert.True(t, size.Varies(), c.about)
		assert.False(t, size.Differs(), c.about)
		assert.Equal(t, []int{c.mean, c.largest}, []int{size.Request, size.Largest()}, c.about)
		assert.Equal(t, c.name, size.String(), c.about)
	}
	one, _ := ReadSize("1KiB:16KiB")
	assert.False(t, one.Varies(), "two sizes are no distribution")
}

// TestSizesAreDescribed so that two runs are seen to have the same.
func TestSizesAreDescribed(t *testing.T) {
	size, err := ReadSize("mix:64B-60_1KiB-30_64KiB-10")
	require.NoError(t, err)
	assert.Equal(t, "size=mix:64B-60_1KiB-30_64KiB-10: mean 6899B, p50 64B, p99 64KiB, largest 64KiB, sequence 0404853752b49c65", size.About())
}

// TestADistributionAsksAServerForNoMore than one size does, where two sizes do.
func TestADistributionAsksAServerForNoMore(t *testing.T) {
	assert.True(t, asksMore("size=1KiB:16KiB"))
	assert.False(t, asksMore("size=lognormal:1KiB:4"))
	assert.False(t, asksMore("size=1KiB"))
}

func TestListsKnowWhetherTheyWereGiven(t *testing.T) {
	l := NewList("1,2", value.Positive)
	assert.False(t, l.Given(), "its default was not")
	assert.NoError(t, l.Set("1,2"))
	assert.True(t, l.Given(), "even if it is the default")
}
