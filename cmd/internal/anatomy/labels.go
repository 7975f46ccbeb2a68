package anatomy

import (
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Labels says of full names of benchmarks in what they differ.
func Labels(full []string) map[string]string {
	var names []lines.Name
	for _, name := range full {
		names = append(names, lines.ParseName(name))
	}
	labels := map[string]string{}
	for _, name := range names {
		var words []string
		if differs(names, name, func(n lines.Name) string { return n.Base }) || name.Get("framework") == "" {
			words = append(words, name.Base)
		}
		for _, key := range name.Keys {
			if key.Key == "framework" || differs(names, name, func(n lines.Name) string { return n.Get(key.Key) }) {
				words = append(words, key.Value)
			}
		}
		labels[name.Full] = strings.Join(words, " ")
	}
	return labels
}

// differs reports whether benchmarks of the framework of one have another value than it.
func differs(names []lines.Name, one lines.Name, value func(lines.Name) string) bool {
	return slices.ContainsFunc(names, func(n lines.Name) bool {
		return n.Get("framework") == one.Get("framework") && value(n) != value(one)
	})
}
