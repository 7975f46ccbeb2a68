package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"
)

// NoFlag is the sentence about a flag that does not exist, where a key of lines,
// which -bench selects, or a flag of another name is meant; "" for other names.
func NoFlag(name, value string) string {
	switch name {
	case "callers":
		return "unknown flag -callers; did you mean -conc?"
	case "connections":
		return "unknown flag -connections; did you mean -conns?"
	case "data":
		return "unknown flag -data; did you mean -payload?"
	case "duration":
		return "unknown flag -duration; did you mean -test.benchtime?"
	}
	at, usual := keyPattern(name)
	if at == "" {
		return ""
	}
	if value == "default" {
		return fmt.Sprintf("there is no flag -%s: a pattern of -bench that ends in $ selects variants without %[1]s=, as in -bench '%s100$'", name, at)
	}
	value = cmp.Or(value, usual)
	if strings.Contains(value, ",") {
		value = "(" + strings.ReplaceAll(value, ",", "|") + ")"
	}
	return fmt.Sprintf("there is no flag -%s: -bench selects by keys, as in -bench '%s/%[1]s=%[3]s'", name, at, value)
}

// keyPattern is a pattern up to the key of this name, and a value of the key; ""
// for a name that is not such a key.
func keyPattern(name string) (pattern, value string) {
	const last = "Echo/framework=/transport=/codec=/size=/conc="
	switch name {
	case "transport":
		return "Echo/framework=", "h2"
	case "codec":
		return "Echo/framework=/transport=", "protobuf"
	case "profile":
		return last, "tuned"
	case "pool":
		return last, "workers"
	case "mode":
		return "Bulk/framework=", "stream"
	}
	return "", ""
}

// Instead is the end of a sentence about a name that there is not: which was
// meant, or which there are.
func Instead(name string, names []string) string {
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return "; " + commandline.DidYouMean(near)
	}
	return ": " + thereAre(names)
}

// insteadOf is Instead of elements, which are the nearer if their values are.
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
