package suite

import (
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// versionsOf reads the versions of the variants' modules from the go.mod of
// the module that holds TestMain: a test binary's build information has none.
func versionsOf(goMod []byte, variants []Variant) (map[string]string, error) {
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

var majorVersion = regexp.MustCompile(`^v\d+$`)

// shortName is the key of a module's config line, as in "grpc".
func shortName(module string) string {
	if base := path.Base(module); !majorVersion.MatchString(base) {
		return strings.ToLower(base)
	}
	return strings.ToLower(path.Base(path.Dir(module)))
}

// experiment begins the experiments of a toolchain's version: "go1.26.8-X:jsonv2",
// or with a space before the X in older ones.
var experiment = regexp.MustCompile(`[- ]X:`)

// goVersion splits the toolchain's version from its experiments.
func goVersion(toolchain string) (version, experiments string) {
	if at := experiment.FindStringIndex(toolchain); at != nil {
		return toolchain[:at[0]], toolchain[at[1]:]
	}
	return toolchain, "none"
}

// printConfig writes configuration lines in the order of their keys.
func printConfig(w io.Writer, config map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(w, "%s: %s\n", key, config[key])
	}
}
