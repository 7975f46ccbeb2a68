package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// connModel is one value of conn=.
type connModel struct {
	name  string
	conns int // see leaf
}

// models are the connection models that Conn measures of a variant.
func connModels(s framework.Sharing) []connModel {
	switch s {
	case framework.Mux:
		return []connModel{{"mux", 0}}
	case framework.Pooled:
		return []connModel{{"pool", 0}}
	case framework.Short:
		return []connModel{{"short", 0}}
	default:
		return []connModel{{"single", 1}, {"fixed", 0}}
	}
}

var connNames = []string{"single", "fixed", "mux", "pool", "short"}

// The values of call=.
const (
	callSync  = "sync"
	callAsync = "async"
)

// parseConns checks -conn and -call: names that there are, and of the variants
// selected at least one that has them.
func (f *flags) parseConns() error {
	if err := known("-conn", f.conn, connNames); err != nil {
		return err
	}
	if err := known("-call", f.call, []string{callSync, callAsync}); err != nil {
		return err
	}
	var has []string
	for _, v := range f.variants {
		for _, m := range connModels(v.Sharing) {
			for _, call := range v.calls() {
				if f.wantsConn(m.name) && slices.Contains(f.calls(v), call) {
					return nil
				}
				has = append(has, fmt.Sprintf("%s has conn=%s call=%s", v.Framework, m.name, call))
			}
		}
	}
	return fmt.Errorf("-conn=%s -call=%s: no variant that is selected has both: %s", f.conn, f.call, strings.Join(slices.Compact(has), ", "))
}

// known reports as an error the first element of a list that is none of names.
func known(flag, list string, names []string) error {
	for _, name := range strings.Split(list, ",") {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%s: unknown %q: there are %s", flag, name, strings.Join(names, ", "))
		}
	}
	return nil
}

func (f *flags) wantsConn(name string) bool { return slices.Contains(strings.Split(f.conn, ","), name) }

// calls are the values of call= that a variant has and the flags ask for.
func (f *flags) calls(v target) []string {
	wanted := strings.Split(f.call, ",")
	return slices.DeleteFunc(v.calls(), func(call string) bool { return !slices.Contains(wanted, call) })
}

// calls are the ways to call a variant.
func (v target) calls() []string {
	if v.Async {
		return []string{callSync, callAsync}
	}
	return []string{callSync}
}

// opens is the most connections that a case opens to each server.
func (c benchCase) opens() int {
	switch {
	case c.v.Sharing == framework.Pooled || c.v.Sharing == framework.Short:
		return c.workers
	case c.conns > 0:
		return c.conns
	default:
		return env.conns
	}
}

// names lists the connection models of a variant.
func connNamesOf(s framework.Sharing) string {
	var names []string
	for _, m := range connModels(s) {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}
