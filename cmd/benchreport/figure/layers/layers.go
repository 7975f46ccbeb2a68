// Package layers shows what is added by layers, as with=tls13, by metadata, by interceptors,
// and by settings of the Go runtime: by the lines of files in which cases were run bare and with them.
package layers

import (
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Layering is the lines of such files.
type Layering struct {
	kinds    *material.Kinds
	of       map[*material.Kind][]lines.Line
	files    map[string]added
	settings settings
	alone    map[*material.Kind]bool // no other file has lines of it
	has      seen.Texts              // a variant with layers, in any benchmark, even if it failed
	tried    seen.Texts              // layers, in a file
}

// Find finds such files. It returns the lines that stand in tables of layers alone, and all
// others, those of one name that differ told apart.
func Find(t *lines.Text, ks *material.Kinds) (y *Layering, alone, others []lines.Line) {
	// Lines of several settings may be compared here.
	beside := lines.Rule{Fields: lines.Fields(), Except: settingKeys()}.Apart(t.Lines)
	y = &Layering{
		kinds: ks, of: map[*material.Kind][]lines.Line{}, files: map[string]added{}, settings: settingsOf(beside),
		alone: map[*material.Kind]bool{}, has: seen.Texts{}, tried: seen.Texts{},
	}
	y.find(beside)
	y.ask(beside, t.Notes)
	y.sort(beside)
	for i, l := range t.Lines {
		if y.apart(l) {
			alone = append(alone, beside[i])
		} else {
			others = append(others, l)
		}
	}
	return y, alone, lines.Apart(others, lines.Fields()...)
}

// Empty reports whether there is no such file.
func (y *Layering) Empty() bool { return len(y.files) == 0 }

// find fills in the files.
func (y *Layering) find(all []lines.Line) {
	cases := map[string]string{} // the setting of their first lines
	bases := seen.Texts{}
	for _, l := range all {
		if stack(l.Name) == "" {
			bases[bare(l)] = true
		}
	}
	for _, l := range all {
		at := l.File() + " " + l.Row()
		first, known := cases[at]
		if !known {
			first = y.settings.of(l)
			cases[at] = first
		}
		switch {
		case y.settings.of(l) != first:
			y.files[l.File()] = bySettings
		case stack(l.Name) != "" && bases[bare(l)] && y.files[l.File()] == "":
			y.files[l.File()] = byLayers
		}
	}
}

// bare is the name of a line's base, in its file.
func bare(l lines.Line) string {
	keys := slices.DeleteFunc(slices.Clone(l.Keys), func(k lines.Key) bool { return slices.Contains(layerKeys(), k.Key) })
	return fmt.Sprintf("%s %s %q", l.File(), l.Base, keys)
}

// ask notes which variants have which layers. Of one that failed there is a note alone.
func (y *Layering) ask(all []lines.Line, notes []lines.Note) {
	for _, l := range all {
		y.has[layered(l.Name)] = true
		y.tried[l.File()+" "+stack(l.Name)] = true
	}
	for _, n := range notes {
		y.has[layered(lines.ParseName(n.Name))] = true
	}
}

// layered is a variant with its layers.
func layered(n lines.Name) string { return rank.Variant(n) + " " + stack(n) }

// lacks reports whether a variant has no such layers: it was run where they were tried.
func (y *Layering) lacks(bases []lines.Line, with string) bool {
	return !y.has[rank.Variant(bases[0].Name)+" "+with] &&
		slices.ContainsFunc(bases, func(l lines.Line) bool { return y.tried[l.File()+" "+with] })
}

// sort sorts the lines of the files by their kinds.
func (y *Layering) sort(all []lines.Line) {
	others := map[*material.Kind]bool{}
	for _, l := range all {
		k := y.kinds.Of(l)
		if y.files[l.File()] == "" {
			others[k] = true
			continue
		}
		y.of[k] = append(y.of[k], l)
	}
	for k := range y.of {
		y.alone[k] = !others[k]
	}
}

// apart reports whether a line is in the tables of layers alone: with the bases of this file
// its like in other files would have other medians, and lines of several settings have one
// name.
func (y *Layering) apart(l lines.Line) bool {
	if k := y.kinds.Of(l); k != nil && k.Parts {
		return false
	}
	by := y.files[l.File()]
	return by == bySettings || by == byLayers && !y.alone[y.kinds.Of(l)]
}
