package ledger

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// notes are what there is to say of cases, by their names, in the form in which it is
// printed.
type notes map[string][]string

// set replaces what there is to say of a case. It may be the text of a server.
func (n notes) set(name string, texts []string) {
	var lines []string
	for _, text := range texts {
		if text != "" {
			lines = append(lines, foreign.Line(text))
		}
	}
	if name = foreign.Line(name); len(lines) == 0 {
		delete(n, name)
		return
	}
	n[name] = lines
}

// print prints a line for each case.
func (n notes) print(w io.Writer, what string) {
	for _, name := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(w, "# %s: %s: %s\n", what, name, strings.Join(n[name], "; "))
	}
}

// manyCases is how many cases must have the same note for one line about all.
const manyCases = 3

// sumUp prints one line for what many cases have in common, which names them at
// its end, and then what is left of each.
func (n notes) sumUp(w io.Writer, what string) {
	common, rest := n.common(), notes{}
	for _, kind := range slices.Sorted(maps.Keys(common)) {
		cases := common[kind]
		fmt.Fprintf(w, "# %s: %d cases: %s: %s\n", what, len(cases), kind.ranges(n.texts(cases, kind)), strings.Join(cases, ", "))
	}
	for name, texts := range n {
		rest.set(name, slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return common[kindOf(text)] != nil }))
	}
	rest.print(w, what)
}

// common are the cases of each kind of note that many have.
func (n notes) common() map[kind][]string {
	cases := map[kind][]string{}
	for _, name := range slices.Sorted(maps.Keys(n)) {
		for _, text := range n[name] {
			if k := kindOf(text); !slices.Contains(cases[k], name) {
				cases[k] = append(cases[k], name)
			}
		}
	}
	maps.DeleteFunc(cases, func(_ kind, names []string) bool { return len(names) < manyCases })
	return cases
}

// texts are the notes of a kind.
func (n notes) texts(cases []string, k kind) (list []string) {
	for _, name := range cases {
		for _, text := range n[name] {
			if kindOf(text) == k {
				list = append(list, text)
			}
		}
	}
	return list
}

// kind is a text without its numbers. Those that are a part of a word, as in p99,
// stay.
type kind string

var number = regexp.MustCompile(`(^|[^\w.])(\d+(?:\.\d+)?)`)

func kindOf(text string) kind { return kind(number.ReplaceAllString(text, "${1}\x00")) }

// ranges is the text of a kind with the least and the most of each number.
func (k kind) ranges(texts []string) string {
	parts := strings.Split(string(k), "\x00")
	whole := parts[0]
	for i, part := range parts[1:] {
		whole += extent(texts, i) + part
	}
	return whole
}

// extent is from the least to the most of the numbers at a place of texts.
func extent(texts []string, place int) string {
	var list []string
	for _, text := range texts {
		list = append(list, number.FindAllStringSubmatch(text, -1)[place][2])
	}
	slices.SortFunc(list, func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	})
	if first, last := list[0], list[len(list)-1]; first != last {
		return first + "–" + last
	}
	return list[0]
}
