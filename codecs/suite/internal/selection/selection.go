// Package selection says why a pattern of -bench selects no case.
package selection

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/commandline"
)

// Key is one of the keys that every line has, and its values.
type Key struct {
	Name   string
	Values []string
}

// Pattern is what -bench and -skip select of the benchmarks Codec and Parallel.
type Pattern struct {
	Bench, Skip string
	Keys        []Key // in their order
}

// NoFlag is the sentence about a flag that does not exist because it is a key of
// lines, which -bench selects; "" for other names.
func NoFlag(name, value string) string {
	before, found := map[string]string{"codec": "", "msg": "codec=/", "op": "codec=/msg=/"}[name]
	if !found {
		return ""
	}
	if strings.Contains(value, ",") {
		value = "(" + strings.ReplaceAll(value, ",", "|") + ")"
	}
	return fmt.Sprintf("there is no flag -%s: -bench selects by keys, as in -bench 'Codec/%s%[1]s=%[3]s'", name, before, value)
}

// Unmatched is the error of a pattern that has selected no case; nil if it may have
// selected another of the binary's benchmarks.
func (p Pattern) Unmatched(binary []string) error {
	first, elements, _ := strings.Cut(p.Bench, "/")
	top, err := regexp.Compile(first)
	if err != nil || binary == nil {
		return nil
	}
	var ours []string
	for _, name := range binary {
		switch name = strings.TrimPrefix(name, "Benchmark"); {
		case name == "Codec" || name == "Parallel":
			ours = append(ours, name)
		case top.MatchString("Benchmark" + name):
			return nil
		}
	}
	if !slices.ContainsFunc(ours, func(name string) bool { return top.MatchString("Benchmark" + name) }) {
		if near := commandline.Nearest(literal(first), ours); len(near) > 0 && strings.HasPrefix(first, "^") {
			return fmt.Errorf("-bench=%s matches no case: no benchmark is %s; did you mean ^Benchmark%s?", p.Bench, first, near[0])
		}
		return fmt.Errorf("-bench=%s matches no case: there is no benchmark %s%s", p.Bench, literal(first), Instead(literal(first), ours))
	}
	return fmt.Errorf("-bench=%s matches no case: %s", p.Bench, p.why(elements))
}

// why says which of the elements below a benchmark matches nothing.
func (p Pattern) why(elements string) string {
	for i, element := range strings.Split(elements, "/") {
		if i >= len(p.Keys) {
			break
		}
		re, err := regexp.Compile(element)
		matches := func(value string) bool { return err == nil && re.MatchString(p.Keys[i].Name+"="+value) }
		if !slices.ContainsFunc(p.Keys[i].Values, matches) {
			return mismatch(p.Keys, i, literal(element))
		}
	}
	if p.Skip != "" {
		return fmt.Sprintf("no case has all of these keys, or -skip=%s skips those that have", p.Skip)
	}
	return "no case has all of these keys"
}

// mismatch says why an element of a pattern matches no value of the key at its place.
func mismatch(keys []Key, at int, element string) string {
	name, value, found := strings.Cut(element, "=")
	if strings.Contains(value, ",") {
		return fmt.Sprintf("several values are written %s=(%s)", name, strings.ReplaceAll(value, ",", "|"))
	}
	if !found {
		name, value = keys[at].Name, element
	}
	before := "Codec/"
	for _, k := range keys {
		if k.Name == name && name != keys[at].Name {
			return fmt.Sprintf("%s= has another place, as in '%s%[1]s=%[3]s'", name, before, value)
		}
		before += k.Name + "=/"
	}
	if name != keys[at].Name {
		return fmt.Sprintf("there is no key %s=; did you mean %s=?", name, keys[at].Name)
	}
	return fmt.Sprintf("there is no %s=%s%s", name, value, Instead(value, keys[at].Values))
}

// literal is an element of a pattern without its anchors.
func literal(element string) string { return strings.NewReplacer("^", "", "$", "").Replace(element) }

// Instead is the end of a sentence about a name that is not one of names.
func Instead(name string, names []string) string {
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return "; " + commandline.DidYouMean(near)
	}
	return ": there are " + strings.Join(names, ", ")
}
