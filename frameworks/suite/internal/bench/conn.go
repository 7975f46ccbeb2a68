package bench

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/call"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// connModel is one value of conn=.
type connModel struct {
	name  string
	conns int // see plan.Spec
}

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

// ConnModels returns the values of conn= that Conn measures of a variant.
func ConnModels(s framework.Sharing) (names []string) {
	for _, m := range connModels(s) {
		names = append(names, m.name)
	}
	return names
}

// The values of call=.
const (
	callSync  = "sync"
	callAsync = "async"
)

// Calls returns the values of call= that Conn measures of a variant.
func Calls(v framework.Variant) []string {
	if v.Async {
		return []string{callSync, callAsync}
	}
	return []string{callSync}
}

// connFlags are the flags of Conn.
type connFlags struct{ models, calls plan.List[string] }

// conn is Echo over each connection model of a framework, and by each way to call.
func conn() *plan.Benchmark {
	models, calls := []string{"single", "fixed", "mux", "pool", "short"}, []string{callSync, callAsync}
	f := &connFlags{
		plan.NewList(strings.Join(models, ","), plan.OneOf(models...)),
		plan.NewList(strings.Join(calls, ","), plan.OneOf(calls...)),
	}
	return &plan.Benchmark{
		Name: "Conn", NoProxy: "a proxy answers connections by itself",
		Flags: f.register,
		Check: f.check, Runs: (*plan.Options).OnlyEqualSizes,
		Keys:  func(v framework.Variant) string { return "framework=" + v.Framework + "/codec=" + v.Codec },
		Cases: f.cases,
	}
}

func (f *connFlags) register(fs *flag.FlagSet) {
	fs.Var(&f.models, "conn", "connection `models` of Conn")
	fs.Var(&f.calls, "call", "`ways` to call of Conn")
}

// check returns an error if no selected variant has the models and ways asked for.
func (f *connFlags) check(all []plan.Target) error {
	var has []string
	for _, t := range all {
		for _, model := range ConnModels(t.Sharing) {
			for _, way := range Calls(t.Variant) {
				if f.models.Has(model) && f.calls.Has(way) {
					return nil
				}
				has = append(has, fmt.Sprintf("%s has conn=%s call=%s", t.Framework, model, way))
			}
		}
	}
	return fmt.Errorf("-conn=%s -call=%s: no variant that is selected has both: %s", &f.models, &f.calls, strings.Join(slices.Compact(has), ", "))
}

func (f *connFlags) cases(o *plan.Options, t plan.Target) (list []plan.Leaf) {
	for _, m := range connModels(t.Sharing) {
		for _, way := range Calls(t.Variant) {
			if !f.models.Has(m.name) || !f.calls.Has(way) {
				continue
			}
			for _, conc := range o.Concs.Values {
				l := call.EchoLeaf(conc, o.EqualSizes()[0])
				l.Keys = fmt.Sprintf("conn=%s/call=%s/conc=%d", m.name, way, conc)
				l.Conns = m.conns
				if way == callAsync {
					l.Prepare, l.NoRetry = call.PrepareAsync, "the framework makes an asynchronous call by itself"
				}
				list = append(list, l)
			}
		}
	}
	return list
}
