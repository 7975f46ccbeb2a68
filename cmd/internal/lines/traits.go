package lines

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Field is what tells lines of one name apart: lines that differ in one are no repeats of
// each other.
type Field string

// The fields. A line that lacks a configuration line may have any value of it.
const (
	Procs    Field = "procs"    // GOMAXPROCS, behind the name; 1 without a suffix
	Package  Field = "package"  // the line pkg
	Pin      Field = "pin"      // the part of a machine that ran: see Part
	Host     Field = "machine"  // see Machine; of others than goos, goarch and cpu, which no text mixes
	Versions Field = "versions" // of Go, frameworks and libraries
	Setup    Field = "settings" // see Settings, with goexperiment and certificates
)

// Trait is what a line says of one field. Several may be of the same.
type Trait struct {
	Field      Field
	Key, Value string // Key is that of the configuration line, and of Procs "procs"
}

// Part are the keys of the configuration lines that say which part of a machine ran.
func Part() []string { return []string{"pin", "clients", "client-procs", "server-procs"} }

var ofVersion = regexp.MustCompile(`^v\d`)

// notVersions are the keys of records of history, which name what is compared.
var notVersions = []string{"version", "reference"}

// Traits returns what a line says of the fields, sorted by key, its procs first.
func (l Line) Traits() []Trait {
	list := []Trait{{Procs, string(Procs), strconv.Itoa(l.procs())}}
	for key, value := range l.Config {
		if field := fieldOf(key, value); field != "" && value != "" {
			list = append(list, Trait{field, key, value})
		}
	}
	slices.SortFunc(list[1:], func(a, b Trait) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// procs is the number behind the name.
func (l Line) procs() int {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(l.Printed, l.Full), "-"))
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// fieldOf is the field of a configuration line; "" if none is told by it.
func fieldOf(key, value string) Field {
	switch {
	case key == "pkg":
		return Package
	case slices.Contains(Part(), key):
		return Pin
	case slices.Contains(Machine(), key):
		return Host
	case slices.Contains(Settings(), key), key == "goexperiment", key == "certificates":
		return Setup
	case slices.Contains(notVersions, key):
		return ""
	case key == "go", ofVersion.MatchString(value):
		return Versions
	}
	return ""
}

// differing has the values of every trait that has several, in the order of the lines.
func differing(list []Line, fields []Field) (keys []Trait, values map[string][]string) {
	values = map[string][]string{}
	for _, l := range list {
		for _, t := range l.Traits() {
			if !slices.Contains(fields, t.Field) || slices.Contains(values[t.Key], t.Value) {
				continue
			}
			values[t.Key] = append(values[t.Key], t.Value)
			if len(values[t.Key]) == 2 {
				keys = append(keys, t)
			}
		}
	}
	return keys, values
}

// ApartKey is the element that Apart adds to names.
const ApartKey = "apart"

// Apart gives lines of one name that differ in one of the fields an element more, which
// says how, as in "2 procs". Those that differ in none keep their names.
func Apart(list []Line, fields ...Field) []Line {
	of := byName(list)
	list = slices.Clone(list)
	for i, l := range list {
		if words := of[l.Full].words(l, fields); words != "" {
			list[i].Keys = append(slices.Clone(l.Keys), Key{ApartKey, words})
		}
	}
	return list
}

// sameName is the lines of one name, and what they differ in, once it is asked for.
type sameName struct {
	lines []Line
	keys  []Trait
	asked bool
}

func byName(list []Line) map[string]*sameName {
	of := map[string]*sameName{}
	for _, l := range list {
		if of[l.Full] == nil {
			of[l.Full] = &sameName{}
		}
		of[l.Full].lines = append(of[l.Full].lines, l)
	}
	return of
}

// words say what one of the lines has in which they differ.
func (s *sameName) words(l Line, fields []Field) string {
	if !s.asked {
		s.keys, _ = differing(s.lines, fields)
		s.asked = true
	}
	var words []string
	for _, k := range s.keys {
		value := "unknown"
		if i := slices.IndexFunc(l.Traits(), func(t Trait) bool { return t.Key == k.Key }); i >= 0 {
			value = l.Traits()[i].Value
		}
		words = append(words, k.word(value))
	}
	return strings.Join(words, ", ")
}

func (t Trait) word(value string) string {
	switch t.Field {
	case Procs:
		return value + " " + map[bool]string{true: "proc", false: "procs"}[value == "1"]
	case Package:
		return "package " + value
	}
	return t.Key + " " + value
}

// Repeats refuses lines that are taken for repeats of each other, since group gives them
// the same text, but differ in one of the fields. The error names the difference.
func Repeats(list []Line, group func(l Line) string, fields ...Field) error {
	of, order := map[string][]Line{}, []string(nil)
	for _, l := range list {
		name := group(l)
		if of[name] == nil {
			order = append(order, name)
		}
		of[name] = append(of[name], l)
	}
	for _, name := range order {
		if keys, values := differing(of[name], fields); len(keys) > 0 {
			return fmt.Errorf("lines of %s differ in %s: %s; give them as files of their own", of[name][0].Full, keys[0].name(), strings.Join(values[keys[0].Key], " and "))
		}
	}
	return nil
}

// name says what differs: the key, with the field where the key does not say it.
func (t Trait) name() string {
	switch t.Field {
	case Versions:
		return "the version of " + t.Key
	case Package:
		return string(t.Field)
	}
	return t.Key
}
