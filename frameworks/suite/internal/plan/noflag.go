package plan

import (
	"cmp"
	"fmt"
	"strings"
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
