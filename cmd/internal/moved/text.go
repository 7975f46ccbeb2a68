package moved

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/pairs"
)

// Changes are what anatomy.Table.Changes returns, one part at least.
type Changes struct{ Parts, Functions []anatomy.Change }

const (
	// mostFunctions are listed of all sides, and mostNamed of each.
	mostFunctions, mostNamed = 10, 5
	// small is the fraction of a side within which a part has to be told not to have moved. It is
	// what benchdiff calls no difference.
	small = .05
	// large is the fraction of a side from which on a function is listed that cannot be told.
	large = .01
)

// Tables are a table of the parts of each side, and one of the functions that changed most, in
// fewer lines than most. The sides that do not fit are counted.
func (c Changes) Tables(most int) string {
	width := c.width()
	functions := c.functions(width)
	text := []string{fmt.Sprintf("%-*s %8s %8s  change (%g %% sure)", width, "CPU time of a call, µs", "base", "head", 100*pairs.Confidence)}
	text = append(text, c.blocks(width, most-len(text)-len(functions)-1)...)
	return strings.Join(slices.Concat(text, []string{""}, functions), "\n") + "\n"
}

// Named has each side with the functions of it that changed, the surest first.
func (c Changes) Named() string {
	var b strings.Builder
	width := c.width()
	for _, whole := range c.wholes() {
		b.WriteString(row(width, c.label(whole), whole) + "\n")
		told := slices.DeleteFunc(c.of(c.Functions, whole), func(f anatomy.Change) bool { return !f.Shown() })
		for _, f := range told[:min(len(told), mostNamed)] {
			b.WriteString(row(width, "  "+f.Part, f) + "  " + foreign.Line(f.Function) + "\n")
		}
		if len(told) == 0 {
			b.WriteString("  which functions changed cannot be told\n")
		}
	}
	return b.String()
}

// wholes are the changes of whole sides.
func (c Changes) wholes() (list []anatomy.Change) {
	for _, p := range c.Parts {
		if p.Part == "" {
			list = append(list, p)
		}
	}
	return list
}

// of are the changes that are of the same side as one.
func (c Changes) of(list []anatomy.Change, one anatomy.Change) (same []anatomy.Change) {
	for _, p := range list {
		if p.Name == one.Name && p.Side == one.Side {
			same = append(same, p)
		}
	}
	return same
}

// label is what a side is called.
func (c Changes) label(of anatomy.Change) string {
	var names []string
	for _, p := range c.wholes() {
		names = append(names, p.Name)
	}
	return foreign.Line(anatomy.Labels(names)[of.Name] + ", " + of.Side)
}

// width is the first column's.
func (c Changes) width() int {
	width := utf8.RuneCountInString("CPU time of a call, µs")
	for _, p := range c.wholes() {
		width = max(width, utf8.RuneCountInString(c.label(p)))
	}
	return width
}

// row has the figures of a change.
func row(width int, name string, c anatomy.Change) string {
	return fmt.Sprintf("%-*s %8.2f %8.2f  %s", width, name, c.Base/1000, c.Head/1000, says(c))
}

// says is what is told of a change.
func says(c anatomy.Change) string {
	switch {
	case c.Pairs < pairs.Fewest:
		return "too few rounds to tell"
	case !c.Shown():
		return "cannot be told: ±" + micros("", widest(c))
	}
	return fmt.Sprintf("%s (%s to %s)", micros("+", c.Value), micros("+", c.Low), micros("+", c.High))
}

// micros has ns in µs, with a further digit where they are few.
func micros(sign string, ns float64) string {
	digits := 2
	if math.Abs(ns) < 50 {
		digits = 3
	}
	return fmt.Sprintf("%"+sign+".*f", digits, ns/1000)
}

// widest is the end of an interval that is farther from none.
func widest(c anatomy.Change) float64 { return max(-c.Low, c.High) }

// blocks are the lines of all sides. Where these are more than most, sides of which nothing is
// told are left out first.
func (c Changes) blocks(width, most int) (text []string) {
	wholes, left := c.wholes(), 0
	for _, quiet := range []bool{false, true} {
		for _, w := range wholes {
			block, told := c.block(width, w)
			switch {
			case told == quiet:
			case len(text)+len(block) < most:
				text = append(text, block...)
			default:
				left++
			}
		}
	}
	if left > 0 {
		text = append(text, fmt.Sprintf("%d more sides are left out here", left))
	}
	return text
}

// block has the lines of a side: its whole, the parts that are told or could have moved much, and
// a sentence on the others.
func (c Changes) block(width int, whole anatomy.Change) (text []string, told bool) {
	text, told = []string{row(width, c.label(whole), whole)}, whole.Shown()
	others, within := 0, 0.0
	for _, p := range c.of(c.Parts, whole) {
		switch {
		case p.Part == "" || p.Samples == 0:
		case p.Shown() || p.Pairs >= pairs.Fewest && !p.Within(small*p.Of):
			text, told = append(text, row(width, "  "+p.Part, p)), told || p.Shown()
		default:
			others, within = others+1, max(within, widest(p))
		}
	}
	return append(text, remaining(len(text) > 1, others, within)...), told
}

// remaining is the sentence on parts that have no row; there may be none.
func remaining(more bool, parts int, within float64) []string {
	which := ""
	if more {
		which = "other "
	}
	switch {
	case parts == 0:
		return nil
	case math.IsInf(within, 1):
		return []string{fmt.Sprintf("  %d %sparts: too few rounds to tell", parts, which)}
	case parts == 1:
		return []string{fmt.Sprintf("  1 %spart: cannot be told: ±%s", which, micros("", within))}
	}
	return []string{fmt.Sprintf("  %d %sparts: none can be told to differ, each is within ±%s", parts, which, micros("", within))}
}

// functions are the lines of those that changed most: first those that are told, by how sure
// that is, then those that may have changed much.
func (c Changes) functions(width int) []string {
	told, open := c.changed()
	list := append(told, open...)
	list = list[:min(len(list), mostFunctions)]
	if len(list) == 0 {
		return []string{fmt.Sprintf("Of %d functions none can be told to have changed.", len(c.Functions))}
	}
	text := []string{fmt.Sprintf("Functions that changed most, of %d, each with what it calls of the runtime:", len(c.Functions))}
	for _, f := range list {
		text = append(text, fmt.Sprintf("%s  %s  %s", row(width, c.label(f), f), f.Part, foreign.Line(f.Function)))
	}
	if more := len(told) - len(list); more > 0 {
		text = append(text, fmt.Sprintf("%d more have changed", more))
	}
	return text
}

// changed are the functions that are told, and the larger ones that cannot be, the largest first.
func (c Changes) changed() (told, open []anatomy.Change) {
	for _, f := range c.Functions {
		if f.Shown() {
			told = append(told, f)
		} else if math.Abs(f.Value) >= large*f.Of {
			open = append(open, f)
		}
	}
	slices.SortStableFunc(open, func(a, b anatomy.Change) int { return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)) })
	return told, open
}
