package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Find returns the variant of an ID: one of the table, or one of these with layers or with
// another window.
func Find(table []framework.Variant, id string, c *framework.Certificates) (framework.Variant, error) {
	if i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == id }); i >= 0 {
		return table[i], nil
	}
	if strings.Contains(id, "/with=") {
		return findWith(table, id, c)
	}
	base, size, found := strings.Cut(id, "/window=")
	i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == base && v.Windows != nil })
	if !found || i < 0 {
		return framework.Variant{}, fmt.Errorf("no variant %q", id)
	}
	n, err := ParseSize(size)
	if err != nil {
		return framework.Variant{}, fmt.Errorf("%s: %w", id, err)
	}
	return withWindow(table[i], n)
}

// withWindow returns v with another window. It is no recommended variant, since its
// framework has another one.
func withWindow(v framework.Variant, n int) (framework.Variant, error) {
	if least := v.Windows.Least; n < least {
		return v, fmt.Errorf("window=%s: the least window of %s is %s", FormatSize(n), v.ID(), FormatSize(least))
	}
	w := v.Windows.With(n)
	w.Window, w.Windows, w.Recommended = FormatSize(n), v.Windows, false
	return w, nil
}

// takesWindows reports whether a variant can be given a window.
func takesWindows(v framework.Variant) bool { return v.Windows != nil && v.Window == "" }

// withWindows returns the table with a variant for each size of -window, behind the
// variant that takes it. They replace the variants of the table that have another window.
func (p *Plan) withWindows(table []framework.Variant) (list []framework.Variant, err error) {
	o := p.options
	if len(o.Windows.Values) == 0 {
		return table, nil
	}
	if !slices.ContainsFunc(table, func(v framework.Variant) bool { return takesWindows(v) && o.wants(v.Framework) }) {
		return nil, fmt.Errorf("-window=%s: no framework that is selected has a window to set%s", &o.Windows, whoTakes(table))
	}
	for _, v := range table {
		if v.Window == "" {
			list = append(list, v)
		}
		if !takesWindows(v) || !o.wants(v.Framework) {
			continue
		}
		more, err := p.windowsOf(v)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	if names := o.windowless(table); len(names) > 0 {
		p.notes = append(p.notes, fmt.Sprintf("-window=%s: no window to set: %s", &o.Windows, strings.Join(names, ", ")))
	}
	return list, nil
}

// windowsOf returns v with each size of -window. It notes those that this machine cannot
// have.
func (p *Plan) windowsOf(v framework.Variant) (list []framework.Variant, err error) {
	for _, n := range p.options.Windows.Values {
		w, err := withWindow(v, n)
		if err != nil {
			return nil, fmt.Errorf("-%w", err)
		}
		if v.Windows.Check != nil {
			err = v.Windows.Check(n)
		}
		switch known := slices.ContainsFunc(list, func(o framework.Variant) bool { return o.ID() == w.ID() }); {
		case err != nil:
			p.skip(fmt.Sprintf("%s: %v", w.ID(), err))
		case !known:
			list = append(list, w)
		}
	}
	return list, nil
}

// windowless lists the frameworks that are wanted and have no window to set.
func (o *Options) windowless(table []framework.Variant) (names []string) {
	with := frameworksWith(table)
	for _, v := range table {
		if o.wants(v.Framework) && !slices.Contains(with, v.Framework) && !slices.Contains(names, v.Framework) {
			names = append(names, v.Framework)
		}
	}
	return names
}

// asksFor reports whether a window is one of -window.
func (o *Options) asksFor(window string) bool {
	return window != "" && slices.ContainsFunc(o.Windows.Values, func(n int) bool { return FormatSize(n) == window })
}

// CheckWindows returns an error if -window would change nothing.
func (p *Plan) CheckWindows() error {
	measured := slices.ContainsFunc(p.selected, func(c Case) bool { return c.Benchmark.Windowed })
	if len(p.options.Windows.Values) == 0 || len(p.selected) == 0 || measured {
		return nil
	}
	return fmt.Errorf("-window=%s: windows are measured by %s, of which no case is selected", &p.options.Windows, strings.Join(p.windowed(), " and "))
}

// windowed lists the benchmarks that measure windows.
func (p *Plan) windowed() (names []string) {
	for _, b := range p.known {
		if b.Windowed {
			names = append(names, b.Name)
		}
	}
	return names
}

// whoTakes is the end of a sentence: which frameworks of the table have windows.
func whoTakes(table []framework.Variant) string {
	with := frameworksWith(table)
	if len(with) == 0 {
		return ""
	}
	return ": " + strings.Join(with, ", ") + " have"
}

// frameworksWith lists the frameworks that have a variant which can be given a window.
func frameworksWith(table []framework.Variant) (names []string) {
	for _, v := range table {
		if takesWindows(v) && !slices.Contains(names, v.Framework) {
			names = append(names, v.Framework)
		}
	}
	return names
}
