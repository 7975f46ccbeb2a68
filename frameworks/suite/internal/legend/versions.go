package legend

import (
	"fmt"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Versions reads the versions of the variants' modules from the go.mod of the
// module that holds TestMain, since a test binary's build information lists no
// modules.
func Versions(goMod []byte, variants []framework.Variant) (map[string]string, error) {
	versions := map[string]string{}
	if len(goMod) == 0 {
		return versions, nil
	}
	file, err := modfile.Parse("go.mod", goMod, nil)
	if err != nil { // of a later Go, perhaps
		file, err = modfile.ParseLax("go.mod", goMod, nil) // which leaves replacements out
	}
	if err != nil {
		return nil, fmt.Errorf("Config.GoMod: %w", err)
	}
	required := map[string]string{}
	for _, r := range file.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range file.Replace {
		v, known := required[r.Old.Path]
		if known && (r.Old.Version == "" || r.Old.Version == v) && r.New.Version != "" {
			required[r.Old.Path] = r.New.Version
		}
	}
	for _, v := range variants {
		for _, m := range v.Modules {
			if required[m] != "" && !module.IsZeroPseudoVersion(required[m]) { // of a directory alone
				versions[Key(m)] = required[m]
			}
		}
	}
	return versions, nil
}
