package lines

import (
	"regexp"
	"slices"
	"strings"
)

// Pattern is a -test.bench for benchmarks of these names. It may match others, since each
// element of a name is matched alone, and names of different lengths by what all have. It
// does not end in $ then, which would have package suite leave out the longer ones.
func Pattern(names []string) string {
	var elements [][]string
	for _, name := range names {
		for i, e := range strings.Split(name, "/") {
			if i == len(elements) {
				elements = append(elements, nil)
			}
			elements[i] = append(elements[i], regexp.QuoteMeta(e))
		}
	}
	var parts []string
	for _, list := range elements {
		if len(list) < len(names) {
			last := len(parts) - 1
			parts[last] = "(" + parts[last] + ")"
			break
		}
		slices.Sort(list)
		parts = append(parts, "^("+strings.Join(slices.Compact(list), "|")+")$")
	}
	return strings.Join(parts, "/")
}
