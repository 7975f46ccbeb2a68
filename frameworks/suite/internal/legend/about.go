package legend

import (
	"maps"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// About are the remarks from which reports read what the names of
// result lines do not say.
func About(variants []framework.Variant) map[string]string {
	if slices.ContainsFunc(variants, TransfersBytes) {
		variants = append(slices.Clip(variants), Iperf())
	}
	about := map[string]string{"rank": Ranks(variants), "version-key": VersionKeys(variants)}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	return about
}

// Iperf is what its lines have of a variant.
func Iperf() framework.Variant {
	return framework.Variant{Keys: framework.Keys{Framework: "iperf3"}, Rank: framework.Reference}
}

// TransfersBytes reports whether iperf3 is measured beside a variant.
func TransfersBytes(v framework.Variant) bool { return v.Kind == framework.Bare && v.Streams }
