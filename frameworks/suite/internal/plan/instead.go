package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"
)

// NoFlag returns the sentence about a flag that does not exist, where a key of lines,
// which -bench selects, or a flag of another name is meant; "" for other names.
func NoFlag(name, value string) string {
	if meant := otherNames()[name]; meant != "" {
		return fmt.Sprintf("unknown flag -%s; did you mean -%s?", name, meant)
	}
	pattern := patternOf(name)
	switch {
	case len(pattern) == 0:
		return ""
	case value == "default":
		return fmt.Sprintf("there is no flag -%s: a pattern of -bench that ends in $ selects variants without %[1]s=, as in -bench '%s100$'", name, pattern[0])
	case strings.Contains(value, ","):
		value = "(" + strings.ReplaceAll(value, ",", "|") + ")"
	}
	return fmt.Sprintf("there is no flag -%s: -bench selects by keys, as in -bench '%s/%[1]s=%[3]s'", name, pattern[0], cmp.Or(value, pattern[1]))
}

// otherNames are names that other programs give to flags of the suite.
func otherNames() map[string]string {
	return map[string]string{"callers": "conc", "connections": "conns", "data": "payload", "duration": "test.benchtime"}
}

// patternOf returns a pattern up to a key that no flag lists, and a value of the key; nil
// for other keys.
func patternOf(key string) []string {
	const last = "Echo/framework=/transport=/codec=/size=/conc="
	return map[string][]string{
		"transport": {"Echo/framework=", "h2"},
		"codec":     {"Echo/framework=/transport=", "protobuf"},
		"profile":   {last, "tuned"},
		"pool":      {last, "workers"},
		"mode":      {"Bulk/framework=", "stream"},
	}[key]
}

// Instead returns the end of a sentence about an unknown name: the known name that is
// like it, or all known names.
func Instead(name string, names []string) string {
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return "; " + commandline.DidYouMean(near)
	}
	return ": " + thereAre(names)
}

// insteadOf is Instead for elements of names, as in size=1KiB, of which only the values
// are compared.
func insteadOf(element string, elements []string) string {
	_, name, found := strings.Cut(element, "=")
	if !found {
		name = element
	}
	var values, near []string
	for _, e := range elements {
		_, value, _ := strings.Cut(e, "=")
		values = append(values, value)
	}
	for _, value := range commandline.Nearest(name, values) {
		near = append(near, elements[slices.Index(values, value)])
	}
	if len(near) > 0 {
		return "; " + commandline.DidYouMean(near)
	}
	return ": " + thereAre(elements)
}

func thereAre(names []string) string {
	if len(names) == 1 {
		return "there is " + names[0]
	}
	return "there are " + strings.Join(names, ", ")
}
