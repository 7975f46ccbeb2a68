package site

import (
	"fmt"
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
	Sections []section // of frameworks that it does not judge
	Others   []link    // to those that it does
	Facts    [][2]string
	Machine  [][2]string
	Notes    []note
	Versions []measured
	Cases    []rawCase
}

// measured is a version with what was built for it.
type measured struct{ Name, Adapter, Config string }

// rawCase has the values of a case.
type rawCase struct {
	Full     string
	Versions []rawVersion
}

type rawVersion struct{ ID, Name, Text string }

func (w *world) record(s *study) recordPage {
	p := recordPage{head: w.head("Record of "+s.Date()+": "+s.Of(), s.Page), Study: s}
	p.Facts = s.facts()
	for _, key := range sortedKeys(s.Machine) {
		p.Machine = append(p.Machine, [2]string{key, s.Machine[key]})
	}
	for _, f := range s.frameworksOf() {
		if id := strings.TrimSuffix(page(w.frameworks, f), ".html"); s.OfCommits() || w.judges[framed{s, f}] {
			p.Others = append(p.Others, link{f, w.pageOf(s, f)})
		} else {
			p.Sections = append(p.Sections, s.section(id, f, s.of(f)))
		}
	}
	p.Notes = s.notes(func(history.Note) bool { return true })
	for _, v := range s.shown {
		p.Versions = append(p.Versions, measured{v, s.Adapters[v], s.config(v)})
	}
	for _, full := range s.cases {
		p.Cases = append(p.Cases, s.rawCase(full))
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
		{"rounds", s.Complete()},
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

func (s *study) rawCase(full string) rawCase {
	of, units := map[string][]lines.Line{}, map[string]bool{}
	for _, l := range s.Lines {
		if l.Full != full {
			continue
		}
		of[l.Config["version"]] = append(of[l.Config["version"]], l)
		for unit := range l.Values {
			units[unit] = true
		}
	}
	sorted := sortedKeys(units)
	slices.SortStableFunc(sorted, func(a, b string) int { return rank(a) - rank(b) })
	c := rawCase{Full: full}
	for _, v := range s.shown {
		if list := of[v]; len(list) > 0 {
			c.Versions = append(c.Versions, rawVersion{s.anchor(full, v), v, rawText(list, sorted)})
		}
	}
	return c
}

// rawText has a line for each unit. A cell of a table for each value would make a page of
// tens of thousands of elements.
func rawText(list []lines.Line, units []string) string {
	wide := len("round")
	for _, unit := range units {
		wide = max(wide, len(unit))
	}
	var b strings.Builder
	row := func(name string, value func(lines.Line) string) {
		fmt.Fprintf(&b, "%-*s", wide, name)
		for _, l := range list {
			b.WriteString("\t" + value(l))
		}
		b.WriteString("\n")
	}
	row("round", func(l lines.Line) string { return l.Config["round"] })
	row("calls", func(l lines.Line) string { return itoa(l.Calls) })
	for _, unit := range units {
		row(unit, func(l lines.Line) string {
			if v, has := l.Values[unit]; has {
				return strconv.FormatFloat(v, 'f', -1, 64)
			}
			return ""
		})
	}
	return b.String()
}
