package suite

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/commandline"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// noFlag is the sentence about a flag that does not exist because it is a key of
// lines, which -bench selects; "" for other names.
func noFlag(name, value string) string {
	before, found := map[string]string{"codec": "", "msg": "codec=/", "op": "codec=/msg=/"}[name]
	if !found {
		return ""
	}
	if strings.Contains(value, ",") {
		value = "(" + strings.ReplaceAll(value, ",", "|") + ")"
	}
	return fmt.Sprintf("there is no flag -%s: -bench selects by keys, as in -bench 'Codec/%s%[1]s=%[3]s'", name, before, value)
}

// key is one of the keys that every line has, and its values.
type key struct {
	name   string
	values []string
}

func (e *environment) keys() []key {
	list := []key{{"codec", codecNames(e.entries)}, {name: "msg"}, {name: "op"}}
	for _, kind := range messages.Measured {
		list[1].values = append(list[1].values, kind.Name)
	}
	for _, op := range bed.Operations {
		list[2].values = append(list[2].values, string(op))
	}
	return list
}

// unmatched is the error of a pattern of -bench that has selected no case; nil if
// it may have selected another of the binary's benchmarks.
func (e *environment) unmatched(pattern string, binary []string) error {
	first, rest, _ := strings.Cut(pattern, "/")
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
			return fmt.Errorf("-bench=%s matches no case: no benchmark is %s; did you mean ^Benchmark%s?", pattern, first, near[0])
		}
		return fmt.Errorf("-bench=%s matches no case: there is no benchmark %s%s", pattern, literal(first), instead(literal(first), ours))
	}
	return fmt.Errorf("-bench=%s matches no case: %s", pattern, e.why(rest))
}

// why says which of the elements below a benchmark matches nothing.
func (e *environment) why(elements string) string {
	keys := e.keys()
	for i, element := range strings.Split(elements, "/") {
		if i >= len(keys) {
			break
		}
		re, err := regexp.Compile(element)
		matches := func(value string) bool { return err == nil && re.MatchString(keys[i].name+"="+value) }
		if !slices.ContainsFunc(keys[i].values, matches) {
			return mismatch(keys, i, literal(element))
		}
	}
	if skip := testFlag("skip"); skip != "" {
		return fmt.Sprintf("no case has all of these keys, or -skip=%s skips those that have", skip)
	}
	return "no case has all of these keys"
}

// mismatch is the sentence about an element that should be of the key at a place.
func mismatch(keys []key, at int, element string) string {
	name, value, found := strings.Cut(element, "=")
	if strings.Contains(value, ",") {
		return fmt.Sprintf("several values are written %s=(%s)", name, strings.ReplaceAll(value, ",", "|"))
	}
	if !found {
		name, value = keys[at].name, element
	}
	before := "Codec/"
	for _, k := range keys {
		if k.name == name && name != keys[at].name {
			return fmt.Sprintf("%s= has another place, as in '%s%[1]s=%[3]s'", name, before, value)
		}
		before += k.name + "=/"
	}
	if name != keys[at].name {
		return fmt.Sprintf("there is no key %s=; did you mean %s=?", name, keys[at].name)
	}
	return fmt.Sprintf("there is no %s=%s%s", name, value, instead(value, keys[at].values))
}

// literal is an element of a pattern as a name has it.
func literal(element string) string { return strings.NewReplacer("^", "", "$", "").Replace(element) }

// instead is the end of a sentence about a name that there is not.
func instead(name string, names []string) string {
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return "; " + commandline.DidYouMean(near)
	}
	return ": there are " + strings.Join(names, ", ")
}

// benchmarksOf returns the names of all benchmarks in this test binary; nil if
// package testing does not keep them where it did.
func benchmarksOf(m *testing.M) (names []string) {
	list := reflect.ValueOf(m).Elem().FieldByName("benchmarks")
	if !list.IsValid() || list.Kind() != reflect.Slice {
		return nil
	}
	for i := range list.Len() {
		names = append(names, list.Index(i).FieldByName("Name").String())
	}
	return names
}
