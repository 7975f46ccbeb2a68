package rig

import (
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// versionsOf reads the versions of the variants' modules from the go.mod of the
// module that holds TestMain, since a test binary's build information lists no
// modules.
func versionsOf(goMod []byte, variants []framework.Variant) (map[string]string, error) {
	versions := map[string]string{}
	if len(goMod) == 0 {
		return versions, nil
	}
	file, err := modfile.ParseLax("go.mod", goMod, nil)
	if err != nil {
		return nil, fmt.Errorf("Config.GoMod: %w", err)
	}
	required := map[string]string{}
	for _, r := range file.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range file.Replace {
		if _, known := required[r.Old.Path]; known && r.New.Version != "" {
			required[r.Old.Path] = r.New.Version
		}
	}
	for _, v := range variants {
		for _, m := range v.Modules {
			if required[m] != "" {
				versions[shortName(m)] = required[m]
			}
		}
	}
	return versions, nil
}

// shortName is the key of a module's config line, as in "grpc".
func shortName(module string) string {
	if module == standardLibrary {
		return "go"
	}
	base := path.Base(module)
	if digits, ok := strings.CutPrefix(base, "v"); ok && digits != "" && strings.Trim(digits, "0123456789") == "" {
		base = path.Base(path.Dir(module))
	}
	return strings.ToLower(base)
}

// goVersion splits the toolchain's version from its experiments, as in
// "go1.26.8-X:jsonv2"; older toolchains write a space instead of the dash.
func goVersion(toolchain string) (version, experiments string) {
	version, experiments, found := strings.Cut(toolchain, "X:")
	if !found {
		experiments = "none"
	}
	return strings.TrimRight(version, " -"), experiments
}

// printConfig writes configuration lines in the order of their keys, or with "# "
// before them comments.
func printConfig(w io.Writer, prefix string, config map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(w, "%s%s: %s\n", prefix, key, config[key])
	}
}
