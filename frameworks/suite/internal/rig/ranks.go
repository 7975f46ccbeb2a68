package rig

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// aboutVariants are the remarks from which reports read what the names of
// result lines do not say.
func aboutVariants(variants []framework.Variant) map[string]string {
	if slices.ContainsFunc(variants, transfersBytes) {
		variants = append(slices.Clip(variants), iperfVariant())
	}
	about := map[string]string{"rank": ranks(variants), "version-key": versionKeys(variants)}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	return about
}

// ranks is the remark from which reports read how variants take part in
// comparisons, as in "arpc/net/protobuf/tuned=beside tcp=reference". Those that it does
// not name are ranked. A framework whose variants all have one rank is named once.
func ranks(variants []framework.Variant) string {
	var list []string
	for _, v := range variants {
		name := v.Framework
		if slices.ContainsFunc(variants, func(w framework.Variant) bool { return w.Framework == v.Framework && w.Rank != v.Rank }) {
			name = valuesOf(v)
		}
		if v.Rank != framework.Ranked {
			list = append(list, name+"="+v.Rank.String())
		}
	}
	return sorted(list)
}

// valuesOf has the values of a variant's keys.
func valuesOf(v framework.Variant) string {
	var values []string
	for key := range strings.SplitSeq(v.ID(), "/") {
		_, value, _ := strings.Cut(key, "=")
		values = append(values, value)
	}
	return strings.Join(values, "/")
}

// versionKeys is the remark that says where the versions of frameworks are,
// as in "netrpc=go". A framework that it does not name has its version in a line of its
// own name, and one that is not ranked has none.
func versionKeys(variants []framework.Variant) string {
	var list []string
	for _, v := range variants {
		module := cmp.Or(slices.Concat(v.Modules, []string{""})[0], standardLibrary)
		if key := shortName(module); key != v.Framework && v.Rank <= framework.Beside {
			list = append(list, v.Framework+"="+key)
		}
	}
	return sorted(list)
}

// standardLibrary is the module of frameworks that name none. Its version is Go's.
const standardLibrary = "std"

func sorted(list []string) string {
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}
