package history

import (
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// also are the configuration lines that a step's version has and the version before has
// not, or has with another value.
func (r *Record) also(s Step) (list []string) {
	of := r.configs(s.Series)
	before, after := of[s.Versions[s.At-1]], of[s.Version()]
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if from, to := before[key], after[key]; from != to && !r.own(key, s.Version()) {
			list = append(list, key+" "+orNone(from)+" → "+orNone(to))
		}
	}
	return list
}

// configs are the configuration lines of a series by version: those that are the same in
// all rounds of the version.
func (r *Record) configs(s Series) map[string]map[string]string {
	of := map[string]map[string]string{}
	for _, l := range r.Lines {
		v := l.Config["version"]
		switch {
		case l.Full != s.Name.Full:
		case of[v] == nil:
			of[v] = maps.Clone(l.Config)
		default:
			keepSame(of[v], l)
		}
	}
	return of
}

// keepSame leaves out what a line has with another value.
func keepSame(config map[string]string, l lines.Line) {
	maps.DeleteFunc(config, func(key, value string) bool { return l.Config[key] != value })
}

// own reports whether a key is of the version itself: an element of the module's path, as
// in workshop.Prove, or a key that changes with version, round or
// adapter and says nothing beside it.
func (r *Record) own(key, version string) bool {
	module, _, _ := strings.Cut(version, "@")
	if r.Module != "" {
		module = r.Module
	}
	return slices.Contains([]string{"version", "round", "pkg", "rank", "version-key"}, key) ||
		slices.Contains(strings.Split(strings.ToLower(module), "/"), key)
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
