package suite

import (
	"slices"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/conformance"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Conformance proves, before any speed figure, that every variant does the
// same work: each runs its server in a process of its own, as in a benchmark.
// Variants run beside each other, see Main. With -short those that are not
// recommended are skipped. Config.References are left out, unless
// -server names one. With -net each variant and its servers have that network between
// them, unless benchmarks are run as well:
//
//	go test -run Conformance . -set=recommended -net=delay-5ms_loss-0.5%
func Conformance(t *testing.T) {
	if current == nil {
		t.Fatal(hint)
	}
	traced := slices.ContainsFunc(current.flags.Options.Layers.Values, func(l layer.Stack) bool { return l.Has(layer.OTel) })
	conformance.Test(sanitized{t}, conformance.Config{
		Rig: current.rig, Targets: current.proven(), Networks: current.networks(), Lost: current.plan.Lost,
		Short: testing.Short(), Traced: traced,
	})
}

// networks are those that Conformance is tested over.
func (s *session) networks() []plan.Network {
	if s.benchmarking {
		return []plan.Network{{}}
	}
	return s.flags.Options.Networks.Values
}

// proven are the targets that are not references, unless -server gives their server.
func (s *session) proven() []plan.Target {
	return slices.DeleteFunc(slices.Clone(s.plan.Targets), func(t plan.Target) bool {
		return t.Given == "" && s.flags.Refers(t.Variant)
	})
}
