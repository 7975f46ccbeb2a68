package conformance

import (
	"fmt"
	"maps"
	"slices"

	"github.com/stretchr/testify/assert"
)

// mostFields is how many fields of a message are named that differ, and shownBytes how much
// of a value is shown.
const (
	mostFields = 5
	shownBytes = 80
)

// differences has a line for each field of a message that did not come back as it should,
// up to mostFields of them.
func differences(want, got map[string]any) (lines []string) {
	all := maps.Clone(want)
	maps.Copy(all, got)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		_, wanted := want[name]
		_, came := got[name]
		return wanted == came && assert.ObjectsAreEqual(want[name], got[name])
	})
	for _, name := range names[:min(len(names), mostFields)] {
		lines = append(lines, fmt.Sprintf("%s: want %s, came back as %s", name, value(want, name), value(got, name)))
	}
	if more := len(names) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more fields", more))
	}
	return lines
}

// value is the value of a field as Go has it, of a long one its beginning.
func value(fields map[string]any, name string) string {
	v, there := fields[name]
	if !there {
		return "no field"
	}
	if s, ok := v.(string); ok && len(s) > shownBytes {
		return fmt.Sprintf("%q… (%d bytes)", s[:shownBytes], len(s))
	}
	return fmt.Sprintf("%#v", v)
}
