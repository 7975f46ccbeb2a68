package conformance

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about string
		spoil func(fields map[string]any)
		want  []string // the beginning of each line
	}{
		{"nothing differs", func(map[string]any) {}, nil},
		{"a text was dropped", func(f map[string]any) { f["Field1"] = "" }, []string{`Field1: want "OK", came back as ""`}},
		{"a number was dropped", func(f map[string]any) { f["Field2"] = int32(0) }, []string{"Field2: want 100, came back as 0"}},
		{"a field is missing", func(f map[string]any) { delete(f, "Field1") }, []string{`Field1: want "OK", came back as no field`}},
		{"there is one too many", func(f map[string]any) { f["Other"] = true }, []string{"Other: want no field, came back as true"}},
		{"a long text", func(f map[string]any) { f["Field1"] = strings.Repeat("x", 1<<20) }, []string{`Field1: want "OK", came back as "` + strings.Repeat("x", shownBytes) + `"… (1048576 bytes)`}},
		{"all are missing", func(f map[string]any) { clear(f) }, []string{"", "", "", "", "", "and "}},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := maps.Clone(wantedAnswer(1))
			c.spoil(got)
			lines := differences(wantedAnswer(1), got)
			if assert.Len(t, lines, len(c.want)) {
				for i, line := range lines {
					assert.True(t, strings.HasPrefix(line, c.want[i]), line)
					assert.Less(t, len(line), 250)
					assert.NotContains(t, line, "\n")
				}
			}
		})
	}
}

// TestADroppedField of a struct, as a serializer leaves it out.
func TestADroppedField(t *testing.T) {
	t.Parallel()
	reply := framework.Filled[framework.BenchMessage](1)[0]
	want := framework.FieldsOf(reply)
	was := reply.Field1
	reply.Field1 = ""
	lines := differences(want, framework.FieldsOf(reply))
	assert.Equal(t, []string{"Field1: want " + value(map[string]any{"f": was}, "f") + `, came back as ""`}, lines)
}
