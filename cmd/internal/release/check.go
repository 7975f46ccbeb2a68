package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

// checkDist returns an error unless a directory has all files of a version, and they say so.
func (t tree) checkDist(dir, version string, platforms []string) error {
	left, err := sumsOf(dir)
	if err != nil {
		return err
	}
	said, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err == nil && string(said) != text(left) {
		err = fmt.Errorf("%s has other sums than the files", sumsFile)
	}
	for _, module := range released.Modules() {
		files, e := t.checkModule(dir, module, version, platforms)
		err = errors.Join(err, e)
		for _, f := range files {
			delete(left, f)
		}
	}
	if len(left) > 0 {
		err = errors.Join(err, fmt.Errorf("files of no module: %s", text(left)))
	}
	return err
}

// checkModule checks the files of a module, and returns their names.
func (t tree) checkModule(dir, module, version string, platforms []string) (files []string, err error) {
	files = append(files, componentsOf(module, version))
	components, err := readBill(filepath.Join(dir, files[0]), module, version)
	if err != nil {
		return nil, err
	}
	head, err := t.git("rev-parse", "HEAD")
	commands, e := t.commands(module)
	err = errors.Join(err, e)
	for _, c := range commands {
		for _, p := range platforms {
			name := binaryOf(c, version, p)
			files = append(files, name)
			info, e := buildinfo.ReadFile(filepath.Join(dir, name))
			if e == nil {
				e = errors.Join(built(info, head, version, p), listed(info, components))
			}
			if e != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", name, e))
			}
		}
	}
	return files, err
}

// built returns an error unless a program was built from a commit, which is of a version, for a
// platform.
func built(info *debug.BuildInfo, commit, version, platform string) error {
	has := map[string]string{"version": info.Main.Version}
	for _, s := range info.Settings {
		has[s.Key] = s.Value
	}
	system, arch, _ := strings.Cut(platform, "/")
	for key, want := range map[string]string{
		"version": version, "GOOS": system, "GOARCH": arch, "CGO_ENABLED": "0", "-trimpath": "true", "vcs.revision": commit, "vcs.modified": "false",
	} {
		if has[key] != want {
			return fmt.Errorf("its %s is %q, and not %q", key, has[key], want)
		}
	}
	return nil
}

// listed returns an error unless the components have all that was linked, in its version.
func listed(info *debug.BuildInfo, components map[string]string) error {
	var lacking []string
	for _, d := range info.Deps {
		if components[d.Path] != d.Version {
			lacking = append(lacking, d.Path+" "+d.Version)
		}
	}
	if len(lacking) > 0 {
		return fmt.Errorf("the components of its module lack %s", strings.Join(lacking, ", "))
	}
	return nil
}
