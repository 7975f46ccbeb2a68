package figure

import (
	_ "embed"
	"slices"
	"strings"
)

// Ranks of frameworks, as the suite's framework.Rank has them.
const (
	ranked    = "ranked"
	reference = "reference" // what the others are compared with: raw TCP
	ours      = "ours"      // a framework's protocol, spoken by code of this project
)

//go:embed systems.txt
var systems string

// system is a framework's line of systems.txt.
type system struct{ name, rank, version string }

// systemOf returns what is known of a framework. An empty version means that
// it has none of its own.
func systemOf(framework string) system {
	for line := range strings.Lines(systems) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == framework {
			return system{f[0], f[1], strings.Trim(f[2], "-")}
		}
	}
	return system{framework, ranked, framework}
}

// order puts frameworks that are ranked first and references last.
func order(framework string) int {
	return slices.Index([]string{ranked, ours, reference}, systemOf(framework).rank)
}
