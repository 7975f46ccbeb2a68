// Package legend is what lines before the results say of them: the versions and ranks of
// the variants, and the configuration of a run.
package legend

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Key is the key of a module's config line, as in "grpc".
func Key(module string) string {
	if module == standardLibrary {
		return "go"
	}
	base := path.Base(module)
	if digits, ok := strings.CutPrefix(base, "v"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		base = path.Base(path.Dir(module))
	}
	return strings.ToLower(base)
}

// GoVersion splits the toolchain's version from its experiments, as in
// "go1.26.8-X:jsonv2"; older toolchains write a space instead of the dash.
func GoVersion(toolchain string) (version, experiments string) {
	version, experiments, found := strings.Cut(toolchain, "X:")
	if !found {
		experiments = "none"
	}
	return strings.TrimRight(version, " -"), experiments
}

// CPU returns the name of the CPU; "" if it is not known.
func CPU() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // fails on systems other than Linux
	_, rest, _ := strings.Cut(string(text), "\nmodel name")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, " \t:")
}

// Print writes configuration lines in the order of their keys, or with "# "
// before them comments.
func Print(w io.Writer, prefix string, config map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(w, "%s%s: %s\n", prefix, key, config[key])
	}
}

// Ranks is the remark from which reports read how variants take part in
// comparisons, as in "arpc/net/protobuf/tuned=beside tcp=reference". Those that it does
// not name are ranked. A framework whose variants all have one rank is named once.
func Ranks(variants []framework.Variant) string {
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

// VersionKeys is the remark that says where the versions of frameworks are,
// as in "netrpc=go". A framework that it does not name has its version in a line of its
// own name, and one that is not ranked has none.
func VersionKeys(variants []framework.Variant) string {
	var list []string
	for _, v := range variants {
		module := cmp.Or(slices.Concat(v.Modules, []string{""})[0], standardLibrary)
		if key := Key(module); key != v.Framework && v.Rank <= framework.Beside {
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
