package site

import (
	"html"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// recordPage has what a record says, and every value of every round.
type recordPage struct {
	head
	Study    *study
	Facts    [][2]string
	Machine  [][2]string
	Doubts   []string
	Notes    []note
	Versions []measured
	Cases    []rawCase
}

// measured is a version with what was built for it.
type measured struct{ Name, Adapter, Config string }

// rawCase has the lines of a case, as the rows of a table.
type rawCase struct {
	ID, Full string
	Units    []string
	Rows     template.HTML
}

func (w *world) record(s *study) recordPage {
	p := recordPage{head: w.head("Record of "+s.Date()+": "+s.Of(), s.Page), Study: s, Doubts: w.row(s).Notes}
	p.Facts = s.facts()
	for _, key := range sortedKeys(s.Machine) {
		p.Machine = append(p.Machine, [2]string{key, s.Machine[key]})
	}
	p.Notes = s.notes(func(history.Note) bool { return true })
	for _, v := range s.shown {
		p.Versions = append(p.Versions, measured{v, s.Adapters[v], s.config(v)})
	}
	for i, full := range s.cases {
		p.Cases = append(p.Cases, s.rawCase(i, full))
	}
	return p
}

// facts are the heading.
func (s *study) facts() (list [][2]string) {
	args := make([]string, len(s.Arguments))
	for i, a := range s.Arguments {
		args[i] = strconv.Quote(a)
	}
	for _, f := range [][2]string{
		{"file", s.Name()},
		{"run", s.Run.UTC().Format("2006-01-02 15:04:05 UTC")},
		{"measured", s.Of()},
		{"rounds", itoa(s.Done) + " of " + itoa(s.Rounds)},
		{"commit", s.Commit},
		{"reference", s.Reference},
		{"arguments", strings.Join(args, " ")},
	} {
		if f[1] != "" {
			list = append(list, f)
		}
	}
	return list
}

// config are the configuration lines that a version has, and the record's heading has not.
func (s *study) config(version string) string {
	i := slices.IndexFunc(s.Lines, func(l lines.Line) bool { return l.Config["version"] == version })
	if i < 0 {
		return ""
	}
	config := maps.Clone(s.Lines[i].Config)
	maps.DeleteFunc(config, func(key, value string) bool {
		return s.Machine[key] == value || slices.Contains(headingKeys, key)
	})
	var list []string
	for _, key := range sortedKeys(config) {
		list = append(list, key+" "+config[key])
	}
	return strings.Join(list, ", ")
}

// headingKeys are shown elsewhere on the page, or are the same for all.
var headingKeys = []string{"history", "run", "kind", "module", "commit", "reference", "rounds", "versions", "arguments", "version", "round", "adapter", "rank", "version-key"}

func (s *study) rawCase(i int, full string) rawCase {
	list := slices.DeleteFunc(slices.Clone(s.Lines), func(l lines.Line) bool { return l.Full != full })
	units := map[string]bool{}
	for _, l := range list {
		for unit := range l.Values {
			units[unit] = true
		}
	}
	c := rawCase{ID: "c" + itoa(i), Full: full, Units: sortedKeys(units)}
	slices.SortStableFunc(c.Units, func(a, b string) int { return rank(a) - rank(b) })
	var b strings.Builder
	for _, v := range s.shown {
		s.rows(&b, slices.DeleteFunc(slices.Clone(list), func(l lines.Line) bool { return l.Config["version"] != v }), c)
	}
	c.Rows = template.HTML(b.String())
	return c
}

// rows are the lines of a version, in the order of their rounds. End tags that HTML does
// not need are left out: they would be a third of the page.
func (s *study) rows(b *strings.Builder, list []lines.Line, c rawCase) {
	if len(list) == 0 {
		return
	}
	version := list[0].Config["version"]
	b.WriteString(`<tbody id="` + s.anchor(c.Full, version) + `"><tr class="v"><th scope="rowgroup" colspan="` + itoa(len(c.Units)+2) + `">` + html.EscapeString(version) + "\n")
	for _, l := range list {
		b.WriteString(`<tr><th scope="row">` + html.EscapeString(l.Config["round"]) + "<td>" + itoa(l.Calls))
		for _, unit := range c.Units {
			b.WriteString("<td>")
			if v, has := l.Values[unit]; has {
				b.WriteString(strconv.FormatFloat(v, 'f', -1, 64))
			}
		}
		b.WriteString("\n")
	}
}
