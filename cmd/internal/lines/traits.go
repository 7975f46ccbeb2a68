package lines

import (
	"cmp"
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
	Setup    Field = "settings" // see Settings
)

// Fields are all of them.
func Fields() []Field { return []Field{Procs, Package, Pin, Host, Versions, Setup} }

// Trait is what a line says of one field. Several may be of the same.
type Trait struct {
	Field      Field
	Key, Value string // Key names the configuration line; "procs" for Procs
}

// Part are the keys of the configuration lines that say which part of a machine ran.
func Part() []string { return []string{"pin", "clients", "client-procs", "server-procs"} }

// Machine are the keys of the configuration lines that describe a machine beyond its
// processor. Figures of two values of one may be compared, but whoever compares them says
// so: a kernel of another version does other work in a call.
func Machine() []string { return []string{"kernel", "memory", "hypervisor", "governor", "congestion"} }

// settings are the keys of the configuration lines that say how the Go runtime was set,
// for which processors a binary was built, and how calls were made.
func settings() []string {
	return append([]string{
		"gogc", "gomemlimit", "godebug", "pgo", "goexperiment",
		"go386", "goamd64", "goarm", "goarm64", "gomips", "gomips64", "goppc64", "goriscv64", "gowasm",
		"certificates", "call-timeout", "retry", "pool-workers",
	}, ofRates()...)
}

// ofRates are the settings of calls that are due at times. Lines of other calls have them
// as well, and were not measured with them.
func ofRates() []string { return []string{"rate-wait", "rate-workers", "rate-arrivals"} }

// unsaid is the value of a setting that is printed only where it is another.
func (l Line) unsaid(key string) string {
	switch ofSuite := l.Config["rate-workers"] != ""; {
	case key == "rate-wait":
		return "awake"
	case ofSuite && slices.Contains([]string{"call-timeout", "retry", "pool-workers"}, key):
		return "none"
	}
	return ""
}

var ofVersion = regexp.MustCompile(`^v\d`)

// notVersions are the keys of records of history, which name what is compared.
var notVersions = []string{"version", "reference"}

// traits returns what a line says of the fields, sorted by key, its procs first.
func (l Line) traits() []Trait {
	list := []Trait{{Procs, string(Procs), strconv.Itoa(l.procs())}}
	for key, value := range l.Config {
		if t := (Trait{FieldOf(key, value), key, l.value(key)}); t.Field != "" && t.Value != "" {
			list = append(list, t)
		}
	}
	for _, key := range []string{"rate-wait", "call-timeout", "retry", "pool-workers"} {
		if t := (Trait{Setup, key, l.value(key)}); l.Config[key] == "" && t.Value != "" {
			list = append(list, t)
		}
	}
	slices.SortFunc(list[1:], func(a, b Trait) int { return strings.Compare(a.Key, b.Key) })
	return list
}

// value returns what a configuration line says, as far as it holds for the line; "" for any.
func (l Line) value(key string) string {
	if slices.Contains(ofRates(), key) && !l.open() {
		return ""
	}
	return cmp.Or(l.Config[key], l.unsaid(key))
}

// open reports whether calls were due at times: then no line says how long one took in
// a row of calls.
func (l Line) open() bool {
	_, rate := l.Values["calls/s"]
	_, inARow := l.Values["ns/op"]
	return rate && !inARow
}

// procs is the number behind the name.
func (l Line) procs() int {
	n, err := strconv.Atoi(l.Printed[strings.LastIndexByte(l.Printed, '-')+1:])
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// FieldOf is the field of a configuration line; "" if none is told by it.
func FieldOf(key, value string) Field {
	switch {
	case key == "pkg":
		return Package
	case slices.Contains(Part(), key):
		return Pin
	case slices.Contains(Machine(), key):
		return Host
	case slices.Contains(settings(), key):
		return Setup
	case slices.Contains(notVersions, key):
		return ""
	case key == "go", ofVersion.MatchString(value):
		return Versions
	}
	return ""
}

// Rule says which lines of one name are told apart.
type Rule struct {
	// Fields are those in which lines must not differ.
	Fields []Field
	// Side names what a line is of, where lines of one name are compared with each other,
	// as versions are: package and versions may differ from side to side. Nil: all lines
	// are of one.
	Side func(l Line) string
	// Except are keys of configuration lines that tell no lines apart.
	Except []string
}

// where is what lines have in common that must not differ in a trait. Packages may use one
// key of versions for different things.
func (r Rule) where(l Line, t Trait) string {
	side := ""
	if r.Side != nil {
		side = r.Side(l)
	}
	switch t.Field {
	case Package:
		return side
	case Versions:
		return side + " " + l.Config["pkg"]
	}
	return ""
}

// Differences returns, of each trait that must not differ and does, the first line whose
// value differs from that before, in the order of the fields and of their keys.
func (r Rule) Differences(list []Line) (all []Difference) {
	first, told := map[[2]string]Line{}, map[string]bool{}
	for _, l := range list {
		for _, t := range l.traits() {
			if told[t.Key] || !slices.Contains(r.Fields, t.Field) || slices.Contains(r.Except, t.Key) {
				continue
			}
			at := [2]string{t.Key, r.where(l, t)}
			other, known := first[at]
			if !known {
				first[at] = l
			} else if other.trait(t.Key) != t.Value {
				told[t.Key] = true
				all = append(all, Difference{t, l, other})
			}
		}
	}
	keys := slices.Concat(Part(), Machine(), settings())
	slices.SortStableFunc(all, func(a, b Difference) int {
		return cmp.Or(
			slices.Index(r.Fields, a.Field)-slices.Index(r.Fields, b.Field),
			slices.Index(keys, a.Key)-slices.Index(keys, b.Key),
		)
	})
	return all
}

// trait is the value of a trait; "" if the line has none.
func (l Line) trait(key string) string {
	if key == string(Procs) {
		return strconv.Itoa(l.procs())
	}
	return l.value(key)
}

// ApartKey is the element that Apart adds to names.
const ApartKey = "apart"

// Apart gives lines of one name that differ an element more, which says how, as in
// "2 procs". Those that differ in none keep their names.
func (r Rule) Apart(list []Line) []Line {
	of := map[string][]Line{}
	for _, l := range list {
		of[l.Full] = append(of[l.Full], l)
	}
	differ := map[string][]Difference{}
	for name, same := range of {
		differ[name] = r.Differences(same)
	}
	list = slices.Clone(list)
	for i, l := range list {
		if words := words(l, differ[l.Full]); words != "" {
			keys := slices.DeleteFunc(slices.Clone(l.Keys), func(k Key) bool { return k.Key == ApartKey })
			list[i].Keys = append(keys, Key{ApartKey, words})
		}
	}
	return list
}

// Apart tells lines apart by a rule that has fields alone.
func Apart(list []Line, fields ...Field) []Line { return Rule{Fields: fields}.Apart(list) }

// Row is the name of a line with what Apart has added: lines that have it in common are
// repeats of each other.
func (l Line) Row() string {
	if apart := l.Get(ApartKey); apart != "" {
		return l.Full + " " + apart
	}
	return l.Full
}

// Values are what the lines say of a trait, each once, in their order.
func (t Trait) Values(list []Line) (values []string) {
	for _, l := range list {
		if v := l.trait(t.Key); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// words say what a line has in which those of its name differ.
func words(l Line, differ []Difference) string {
	var words []string
	for _, d := range differ {
		words = append(words, d.Word(cmp.Or(l.trait(d.Key), "unknown")))
	}
	return strings.Join(words, ", ")
}

// Word says a value of the trait so that it tells lines apart, as in "2 procs".
func (t Trait) Word(value string) string {
	switch t.Field {
	case Procs:
		return value + " " + map[bool]string{true: "proc", false: "procs"}[value == "1"]
	case Package:
		return "package " + value
	}
	return t.Key + " " + value
}

// Repeats refuses lines that are taken for repeats of each other, since group gives them
// the same text, but that differ. The error names the difference.
func (r Rule) Repeats(list []Line, group func(l Line) string) error {
	of, order := map[string][]Line{}, []string(nil)
	for _, l := range list {
		name := group(l)
		if of[name] == nil {
			order = append(order, name)
		}
		of[name] = append(of[name], l)
	}
	for _, name := range order {
		for _, d := range r.Differences(of[name]) {
			return fmt.Errorf("lines of %s differ in %s: %s and %s; give them as files of their own", d.Line.Full, d.name(), d.Other.trait(d.Key), d.Line.trait(d.Key))
		}
	}
	return nil
}

// Repeats refuses lines by a rule that has fields alone.
func Repeats(list []Line, group func(l Line) string, fields ...Field) error {
	return Rule{Fields: fields}.Repeats(list, group)
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

// Difference is two lines with different values of a trait.
type Difference struct {
	Trait
	Line, Other Line // Other is the first with a value
}

// String says where both values are.
func (d Difference) String() string {
	was, now := d.Both()
	return fmt.Sprintf("%s: measured with %s %q, but %s with %q", d.Line.At, d.Key, now, d.Other.At, was)
}

// Both are the values of Other and of Line.
func (d Difference) Both() (was, now string) { return d.Other.trait(d.Key), d.Line.trait(d.Key) }
