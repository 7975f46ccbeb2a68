package cluster

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// allPolicies is the value of -policy that stands for all that a framework has.
const allPolicies = "all"

func policyHelp() string {
	return strings.Join(plan.PolicyNames(), ", ") + ", " + plan.NoPolicy + " for a client of each server, or " + allPolicies + " for those that each framework has"
}

func readPolicy(name string) (string, error) {
	return plan.OneOf(append(plan.PolicyNames(), plan.NoPolicy, allPolicies)...)(name)
}

// policy is the load balancing of a case; the zero policy is the framework's default.
type policy struct {
	name  string
	lacks string // why the variant does not have it; "" if it does
}

// policiesOf lists the policies that are measured of a variant.
func (f *flags) policiesOf(v framework.Variant) (list []policy) {
	if len(f.policies.Values) == 0 {
		return []policy{{}}
	}
	for _, name := range f.policies.Values {
		if name != allPolicies {
			list = append(list, policy{name, lacking(v, name)})
			continue
		}
		for _, own := range names(v) {
			list = append(list, policy{name: own})
		}
	}
	return list
}

// names lists the policies that a variant has.
func names(v framework.Variant) (list []string) {
	for _, p := range v.Policies {
		list = append(list, p.Name)
	}
	if len(list) == 0 {
		return []string{plan.NoPolicy}
	}
	return list
}

// lacking says that a variant does not have a policy; "" if it does.
func lacking(v framework.Variant, name string) string {
	if _, has := plan.PolicyOf(v, name); has || name == plan.NoPolicy {
		return ""
	}
	return fmt.Sprintf("%s has no policy=%s%s", v.Framework, name, plan.Instead(name, names(v)))
}

// apply makes a case one with the policy.
func (p policy) apply(s *plan.Spec) {
	if p.name == "" {
		return
	}
	s.Policy, s.Optional = p.name, s.Optional+"/policy="+p.name
	if p.lacks != "" {
		s.Lacks = p.lacks
	}
}

// weights are those that an operator gives who knows the servers: a slow one has as many
// times less as its work takes longer.
func weights(s plan.Slow, servers int) []int {
	if s.Times == 1 {
		return nil
	}
	const precision = 10
	ratio := big.NewRat(int64(math.Round(precision*s.Times)), precision)
	list := slices.Repeat([]int{int(ratio.Num().Int64())}, servers)
	list[s.Server-1] = int(ratio.Denom().Int64())
	return list
}
