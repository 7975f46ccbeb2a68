package plan

import (
	"flag"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

func TestLists(t *testing.T) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	numbers, more := NewList("1,2", value.Positive), List[server]{read: readServer, appends: true, optional: true}
	fs.Var(&numbers, "n", "")
	fs.Var(&more, "more", "")
	assert.Equal(t, []int{1, 2}, numbers.Values, "the default")
	require.NoError(t, fs.Parse([]string{"-n=3", "-n=4,5", "-more=a@b,c", "-more=", "-more=d"}))
	assert.NoError(t, FlagErr(fs))
	assert.Equal(t, []int{4, 5}, numbers.Values, "the last one counts")
	assert.Equal(t, "4,5", numbers.String())
	assert.True(t, numbers.Has("5"))
	assert.False(t, numbers.Has("3"))
	assert.Equal(t, []server{{"a@b", "a", "b"}, {"c", "c", ""}, {"d", "d", ""}}, more.Values, "these are added")
	assert.Equal(t, "a@b,c,d", more.String(), "and read again they are the same")
	require.NoError(t, fs.Parse([]string{"-n=6,x,0"}), "package flag would print the usage")
	assert.EqualError(t, FlagErr(fs), `-n: "x" must be a whole number more than 0`)
	require.NoError(t, fs.Parse([]string{"-n=7"}))
	assert.NoError(t, FlagErr(fs), "it was mended")

	some := NewList("", value.Positive)
	assert.Empty(t, some.Values, "what may be empty")
	some.Set("1,")
	assert.Error(t, some.Err(), "has no empty elements")
	numbers.Set("")
	assert.Error(t, numbers.Err(), "and what has a default may not be empty")
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text  string
		bytes int
	}{{"0B", 0}, {"1B", 1}, {"1023B", 1023}, {"1KiB", 1 << 10}, {"64KiB", 64 << 10}, {"4MiB", 4 << 20}, {"1GiB", 1 << 30}} {
		n, err := ParseSize(c.text)
		assert.NoError(t, err)
		assert.Equal(t, c.bytes, n)
		assert.Equal(t, c.text, FormatSize(n))
	}
	for _, bad := range []string{"", "B", "1", "1k", "1.5KiB", "-1B", "2GiB", "99999999999999999999B", "9999999999GiB"} {
		_, err := ParseSize(bad)
		assert.ErrorContains(t, err, "is not a size", "%q", bad)
	}
}
