package rig

import (
	"maps"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
)

// aboutVariants are the remarks from which reports read what the names of
// result lines do not say.
func aboutVariants(variants []framework.Variant) map[string]string {
	if slices.ContainsFunc(variants, transfersBytes) {
		variants = append(slices.Clip(variants), iperfVariant())
	}
	about := map[string]string{"rank": legend.Ranks(variants), "version-key": legend.VersionKeys(variants)}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	return about
}

// iperfVariant is what its lines have of a variant.
func iperfVariant() framework.Variant {
	return framework.Variant{Framework: "iperf3", Rank: framework.Reference}
}

// transfersBytes reports whether iperf3 is measured beside a variant.
func transfersBytes(v framework.Variant) bool { return v.Kind == framework.Bare && v.Streams }
