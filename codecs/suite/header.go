package suite

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/machine"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/settings"
	"golang.org/x/mod/modfile"
)

// units tells benchstat which way our units are better, and which are exact.
const units = `Unit cpu-ns/op better=lower
Unit encoded-B better=lower assume=exact
Unit gz-B better=lower assume=exact
Unit zstd-B better=lower assume=exact
`

// header is the units and the configuration that all lines have in common. A value may be
// text of the environment.
func (e *environment) header() string {
	config := settings.Here()
	maps.Copy(config, machine.Here())
	config["procs"] = fmt.Sprint(runtime.GOMAXPROCS(0))
	config["go"], config["goexperiment"] = splitVersion(runtime.Version())
	for _, entry := range e.entries {
		if entry.Module != "" {
			config[entry.Codec] = e.versions[entry.Module]
		}
	}
	text := units
	if e.leftOut != "" {
		text += "# " + foreign.Line(e.leftOut) + "\n"
	}
	for _, key := range slices.Sorted(maps.Keys(config)) {
		text += fmt.Sprintf("%s: %s\n", key, foreign.Line(config[key]))
	}
	return text
}

// splitVersion splits the toolchain's version from its experiments, as in
// "go1.26.8-X:jsonv2"; older ones have a space there.
func splitVersion(goVersion string) (version, experiments string) {
	version, experiments, found := strings.Cut(goVersion, "X:")
	if !found {
		experiments = "none"
	}
	return strings.TrimRight(version, " -"), experiments
}

// versionsOf reads what a go.mod requires: a test binary's build information
// has no modules.
func versionsOf(goMod []byte) (map[string]string, error) {
	file, err := modfile.ParseLax("go.mod", goMod, nil)
	if err != nil {
		return nil, fmt.Errorf("Config.GoMod: %w", err)
	}
	versions := map[string]string{}
	for _, r := range file.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions, nil
}
