package page

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// TextWidth is how wide a text is where nothing else is known, in columns.
const TextWidth = 100

// Text writes the rankings for a terminal of some columns: what does not fit is left out or
// goes on in the next line.
func Text(w io.Writer, r *figure.Report, width int) error {
	var b strings.Builder
	for _, t := range r.Rankings {
		ranked(&b, t, width)
		b.WriteString("\n")
	}
	if len(r.Rankings) == 0 {
		wrapped(&b, "", []string{"nothing is ranked by these lines: -markdown has their tables"}, width)
	}
	for _, text := range r.Samples {
		wrapped(&b, "", []string{text}, width)
	}
	for _, a := range r.Briefs {
		wrapped(&b, a.Name+": ", a.Items, width)
	}
	common(&b, r, r.Rankings, width)
	for _, d := range r.Doubts.Reasons {
		wrapped(&b, "warning: ", []string{fmt.Sprintf("%s (%d of %d rows)", d.Text, len(d.Rows), r.Doubts.Of)}, width)
	}
	for _, text := range slices.Concat(r.Remarks, r.Skipped) {
		wrapped(&b, "note: ", []string{text}, width)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Ranked writes one ranking as a README has it.
func Ranked(w io.Writer, r *figure.Report, t *ranking.Table) error {
	var b strings.Builder
	ranked(&b, t, TextWidth)
	common(&b, r, []*ranking.Table{t}, TextWidth)
	_, err := fmt.Fprintf(w, "```text\n%s```\n", b.String())
	return err
}

func ranked(b *strings.Builder, t *ranking.Table, width int) {
	fmt.Fprintf(b, "%s; %s\n", foreign.Line(t.Title), t.About)
	if len(t.Rows) > 0 {
		newLayout(t, width).write(b)
	}
	for _, a := range t.Below {
		wrapped(b, a.Name+": ", a.Items, width)
	}
}

// common is what is said once of all rankings.
func common(b *strings.Builder, r *figure.Report, list []*ranking.Table, width int) {
	var notes, versions []string
	for _, t := range list {
		notes, versions = append(notes, t.Notes...), append(versions, t.Versions...)
	}
	wrapped(b, "", []string{strings.Join(seen.Once(notes), " ")}, width)
	slices.Sort(versions)
	wrapped(b, "versions: ", slices.Compact(versions), width)
	wrapped(b, "measured on ", []string{measured(r.Measured)}, width)
}

// wrapped writes items behind a name, and goes on in a further line where one is full. Of
// several items none is broken.
func wrapped(b *strings.Builder, name string, items []string, width int) {
	words := items
	if len(items) == 1 {
		words = strings.Fields(foreign.Line(items[0]))
	}
	between, line := " ", name
	if len(items) > 1 {
		between = ", "
	}
	for i, word := range words {
		if word = foreign.Line(word); i < len(words)-1 {
			word += between
		}
		if length(line)+length(strings.TrimRight(word, " ")) > width && i > 0 {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = "    "
		}
		line += word
	}
	if len(words) > 0 {
		b.WriteString(line + "\n")
	}
}

func length(s string) int { return utf8.RuneCountInString(s) }

// layout is the columns of a table that fit, with their widths.
type layout struct {
	t      *ranking.Table
	most   int   // the width of the longest word that is shown whole
	shown  []int // indexes of columns
	widths []int // of the shown ones
}

func newLayout(t *ranking.Table, width int) *layout {
	l := &layout{t: t, most: width / 2}
	for i := range t.Columns {
		l.shown = append(l.shown, i)
	}
	for l.measure(); l.width() > width && l.spare(); l.measure() {
	}
	return l
}

func (l *layout) measure() {
	l.widths = nil
	for _, c := range l.shown {
		widest := length(l.t.Columns[c].Head)
		for _, row := range l.t.Rows {
			widest = max(widest, length(l.text(c, row[c])))
		}
		l.widths = append(l.widths, widest)
	}
	for first := 0; first < len(l.shown); {
		group, span, next := l.group(first)
		l.widths[first] += max(0, length(group)-span)
		first = next
	}
}

// text is what is shown of a cell. Of a long word, such as a name that others gave, it has the
// beginning and the end.
func (l *layout) text(column int, c ranking.Cell) string {
	text := []rune(foreign.Line(c.Text))
	if !l.t.Columns[column].Words || len(text) <= l.most {
		return string(text)
	}
	end := l.most / 3
	return string(text[:l.most-end-1]) + "…" + string(text[len(text)-end:])
}

// group is what neighbouring columns from one on have in common, how wide they are, and the
// column behind them.
func (l *layout) group(first int) (name string, span, next int) {
	name, span = l.t.Columns[l.shown[first]].Group, -gap
	for next = first; next < len(l.shown) && l.t.Columns[l.shown[next]].Group == name; next++ {
		span += l.widths[next] + gap
	}
	return name, span, next
}

// gap is between columns; the first of it is for the mark of a noisy figure.
const gap = 2

func (l *layout) width() (sum int) {
	for _, w := range l.widths {
		sum += w + gap
	}
	return sum - gap + 1 // a mark behind the last
}

// spare leaves out the columns that are missed least; false if none is left to spare.
func (l *layout) spare() bool {
	most := 0
	for _, c := range l.shown {
		most = max(most, l.t.Columns[c].Spare)
	}
	if most == 0 {
		return false
	}
	l.shown = slices.DeleteFunc(l.shown, func(c int) bool { return l.t.Columns[c].Spare == most })
	return true
}

func (l *layout) write(b *strings.Builder) {
	l.groups(b)
	heads := make([]ranking.Cell, len(l.t.Columns))
	for i, c := range l.t.Columns {
		heads[i].Text = c.Head
	}
	l.row(b, heads)
	for _, row := range l.t.Rows {
		l.row(b, row)
	}
}

// groups writes the line of what neighbouring columns have in common, each in their middle.
func (l *layout) groups(b *strings.Builder) {
	line := ""
	for i := 0; i < len(l.shown); {
		name, span, next := l.group(i)
		left := (span - length(name)) / 2
		line += strings.Repeat(" ", left) + name + strings.Repeat(" ", span-length(name)-left+gap)
		i = next
	}
	if line = strings.TrimRight(line, " "); line != "" {
		b.WriteString(line + "\n")
	}
}

func (l *layout) row(b *strings.Builder, cells []ranking.Cell) {
	line := ""
	for i, c := range l.shown {
		text := l.text(c, cells[c])
		room := strings.Repeat(" ", l.widths[i]-length(text))
		if l.t.Columns[c].Words {
			text += room
		} else {
			text = room + text
		}
		mark := " "
		if cells[c].Wide {
			mark = "?"
		}
		line += text + mark + strings.Repeat(" ", gap-1)
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
}
