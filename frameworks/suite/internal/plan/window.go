package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

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
func (s *selection) withWindows(table []framework.Variant, a *absence) (list []framework.Variant, err error) {
	if len(s.Windows.Values) == 0 {
		return table, nil
	}
	if !slices.ContainsFunc(table, func(v framework.Variant) bool { return takesWindows(v) && s.wants(v.Framework) }) {
		return nil, fmt.Errorf("-window=%s: no framework that is selected has a window to set%s", &s.Windows, whoTakes(table))
	}
	for _, v := range table {
		if v.Window == "" {
			list = append(list, v)
		}
		if !takesWindows(v) || !s.wants(v.Framework) {
			continue
		}
		more, err := s.windowsOf(v, a)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	with := frameworksOf(table, takesWindows)
	lacks := func(v framework.Variant) bool { return s.wants(v.Framework) && !slices.Contains(with, v.Framework) }
	if names := frameworksOf(table, lacks); len(names) > 0 {
		a.note("-window=%s: no window to set: %s", &s.Windows, strings.Join(names, ", "))
	}
	return list, nil
}

// windowsOf returns v with each size of -window. It notes those that this machine cannot
// have.
func (s *selection) windowsOf(v framework.Variant, a *absence) (list []framework.Variant, err error) {
	for _, n := range s.Windows.Values {
		w, err := withWindow(v, n)
		if err != nil {
			return nil, fmt.Errorf("-%w", err)
		}
		if v.Windows.Check != nil {
			err = v.Windows.Check(n)
		}
		switch known := slices.ContainsFunc(list, func(o framework.Variant) bool { return o.ID() == w.ID() }); {
		case err != nil:
			a.skip(fmt.Sprintf("%s: %v", w.ID(), err))
		case !known:
			list = append(list, w)
		}
	}
	return list, nil
}

// whoTakes is the end of a sentence: which frameworks of the table have windows.
func whoTakes(table []framework.Variant) string {
	with := frameworksOf(table, takesWindows)
	if len(with) == 0 {
		return ""
	}
	return ": " + strings.Join(with, ", ") + " have"
}
