package metadata

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		about, text string
		want        Set
		err         string
	}{
		{"values have 24 bytes", "20", Set{Entries: 20, Bytes: 24}, ""},
		{"or others", "20:256B", Set{Entries: 20, Bytes: 256}, ""},
		{"or many", "3000:1KiB", Set{Entries: 3000, Bytes: 1024}, ""},
		{"or none", "2:0B", Set{Entries: 2}, ""},
		{"each call has its own values", "20-fresh", Set{Entries: 20, Bytes: 24, Fresh: true}, ""},
		{"any bytes", "2:256B-binary-fresh", Set{Entries: 2, Bytes: 256, Binary: true, Fresh: true}, ""},
		{"none", "0", Set{}, ""},
		{"no number", "x", Set{}, "metadata=x: must be ENTRIES or ENTRIES:BYTES, with -binary or -fresh behind it or both in this order, as in 20, 20:256B or 20-fresh"},
		{"a negative number", "-1", Set{}, "metadata=-1: must be ENTRIES or"},
		{"words in another order", "2-fresh-binary", Set{}, "metadata=2-fresh-binary: must be ENTRIES or"},
		{"no unit", "2:256", Set{}, `metadata=2:256: "256" is not a size: use a whole number and B or KiB, as in 256B or 1KiB`},
		{"too many", "10000", Set{}, "metadata=10000: must be from 0 to 9999 entries"},
		{"too large", "2:1025KiB", Set{}, "metadata=2:1025KiB: values must be of 0B to 1024KiB"},
		{"a size of nothing", "0:4B", Set{}, "metadata=0:4B: 0 entries have no values to say something about: write 0"},
		{"values with no room to differ", "2:4B-fresh", Set{}, "metadata=2:4B-fresh: values that differ in all calls need 8 bytes"},
	} {
		t.Run(c.about, func(t *testing.T) {
			got, err := Read(c.text)
			assert.Equal(t, c.want, got)
			if c.err != "" {
				assert.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, strings.TrimPrefix(c.text, "0"), got.String(), "its own text, which of none is no key")
		})
	}
}

func TestCalls(t *testing.T) {
	for _, text := range []string{"2", "20:256B", "70", "3:0B", "2-binary", "20-fresh", "2:8B-binary-fresh"} {
		t.Run(text, func(t *testing.T) {
			s, err := Read(text)
			require.NoError(t, err)
			calls, others := s.Calls(), s.Calls()
			first, second := calls.Next(), calls.Next()
			assert.Equal(t, s.Entries, first.Len())
			assert.Equal(t, s.Size(), len(strings.Join(second, "")))
			assert.Equal(t, s.Binary, strings.Contains(strings.Join(first, ""), "\x00"))
			assert.Equal(t, first, others.Next(), "each client has the same")
			assert.Equal(t, second, calls.Of(1))
			for i := 1; s.Fresh && i < len(first); i += 2 {
				assert.NotEqual(t, first[i], second[i])
				assert.NotEqual(t, first[i], calls.Of(1 << 28)[i])
			}
			assert.NoError(t, second.Same(second.Map()))
			assert.NoError(t, From(second.Map()).Same(second.Map()))
		})
	}
}

func TestCheck(t *testing.T) {
	sent := Set{Entries: 3, Bytes: 4}.Calls().Next()
	const first, second = prefix + "0001", prefix + "0002"
	for _, c := range []struct {
		about  string
		change func(map[string][]string)
		err    string
	}{
		{"what was sent", func(map[string][]string) {}, ""},
		{"and what the framework adds", func(m map[string][]string) { m["content-type"] = []string{"application/grpc"} }, ""},
		{"names in other letters", func(m map[string][]string) { m["X-Entry-0001"] = m[first]; delete(m, first) }, ""},
		{"less", func(m map[string][]string) { delete(m, first) }, "metadata: 2 of 3 entries came back"},
		{"one twice", func(m map[string][]string) { m[first] = append(m[first], m[first]...) }, "metadata: more came back than was sent"},
		{"one more", func(m map[string][]string) { m[prefix+"0004"] = []string{""} }, "metadata: more came back than was sent"},
		{"one of another name", func(m map[string][]string) { m[first+"-bin"] = m[first]; delete(m, first) }, "metadata: more came back than was sent"},
		{"values at other names", func(m map[string][]string) { m[first], m[second] = m[second], m[first] }, "came back with another value"},
	} {
		t.Run(c.about, func(t *testing.T) {
			came := map[string][]string{}
			for name, value := range sent.All() {
				came[name] = []string{value}
			}
			c.change(came)
			err := sent.Check(Lists(came))
			if c.err == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.err)
			}
			assert.Equal(t, len(came), len(OwnOf(came))+len(maps.Collect(others(came))))
		})
	}
}

// others are the entries that are not ours.
func others(all map[string][]string) func(func(string, []string) bool) {
	return func(yield func(string, []string) bool) {
		for name, values := range all {
			if !Own(name) && !yield(name, values) {
				return
			}
		}
	}
}
