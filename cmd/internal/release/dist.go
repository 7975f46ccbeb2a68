package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

// sumsFile has the sums of all other files, as sha256sum reads them.
const sumsFile = "SHA256SUMS"

// dist makes the files of a version in dist, and checks them.
func (t tree) dist(version string, platforms []string) error {
	if err := t.checkTags(version); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(t.dir, "dist")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	c, err := t.clone(version, filepath.Join(work, "first"))
	if err == nil {
		err = c.build(out, version, platforms)
	}
	if err == nil {
		err = t.rebuilt(work, out, version, platforms)
	}
	if err == nil {
		err = c.describe(out, version)
	}
	if err == nil {
		err = writeSums(out)
	}
	if err == nil {
		err = t.checkDist(out, version, platforms)
	}
	if err == nil {
		fmt.Printf("dist/ has the files of %s; its commands were built twice and are the same\n", version)
	}
	return err
}

// rebuilt builds the commands from another clone, and returns an error unless they are the same.
func (t tree) rebuilt(work, out, version string, platforms []string) error {
	c, err := t.clone(version, filepath.Join(work, "second", "below"))
	if err != nil {
		return err
	}
	again := filepath.Join(work, "again")
	if err := c.build(again, version, platforms); err != nil {
		return err
	}
	before, err := sumsOf(out)
	after, e := sumsOf(again)
	if err = errors.Join(err, e); err == nil && !maps.Equal(before, after) {
		err = fmt.Errorf("built again, some differ: %s", strings.Join(differing(before, after), ", "))
	}
	return err
}

// build makes the commands of all modules in a directory.
func (t tree) build(out, version string, platforms []string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, module := range released.Modules() {
		commands, err := t.commands(module)
		for _, p := range platforms {
			if err == nil && len(commands) > 0 {
				err = t.compile(out, version, p, module, commands)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// describe writes the components of all modules into a directory.
func (t tree) describe(out, version string) error {
	for _, module := range released.Modules() {
		if err := t.components(module, filepath.Join(out, componentsOf(module, version))); err != nil {
			return err
		}
	}
	return nil
}

// commands are the packages of a module that others can install.
func (t tree) commands(module string) ([]string, error) {
	all, err := t.run(module, "go", "list", "-f", `{{if eq .Name "main"}}{{.ImportPath}}{{end}}`, "./...")
	return slices.DeleteFunc(strings.Fields(all), func(p string) bool { return strings.Contains(p, "/internal/") }), err
}

// compile builds commands for a platform. Each says its version and commit to go version -m. On
// macOS a program needs the identifier that is made of Go's build ID, so that stays.
func (t tree) compile(out, version, platform, module string, commands []string) error {
	system, arch, _ := strings.Cut(platform, "/")
	args := append([]string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", out + string(filepath.Separator)}, commands...)
	if _, err := t.with("GOOS="+system, "GOARCH="+arch).run(module, "go", args...); err != nil {
		return err
	}
	for _, c := range commands {
		if err := os.Rename(filepath.Join(out, path.Base(c)+extension(platform)), filepath.Join(out, binaryOf(c, version, platform))); err != nil {
			return err
		}
	}
	return nil
}

// binaryOf is the file of a command.
func binaryOf(command, version, platform string) string {
	return path.Base(command) + "-" + version + "-" + strings.ReplaceAll(platform, "/", "-") + extension(platform)
}

func extension(platform string) string {
	if strings.HasPrefix(platform, "windows/") {
		return ".exe"
	}
	return ""
}

// sums are the SHA-256 of files, in hexadecimal, by their names.
type sums map[string]string

// sumsOf computes the sums of a directory's files, except of the file that has the sums.
func sumsOf(dir string) (sums, error) {
	files, err := os.ReadDir(dir)
	all := sums{}
	for _, f := range files {
		data, e := os.ReadFile(filepath.Join(dir, f.Name()))
		err = errors.Join(err, e)
		if f.Name() != sumsFile {
			all[f.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
		}
	}
	return all, err
}

func writeSums(dir string) error {
	all, err := sumsOf(dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, sumsFile), []byte(text(all)), 0o644)
	}
	return err
}

// text is how sha256sum writes sums.
func text(all sums) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "%s  %s\n", all[name], name)
	}
	return b.String()
}

// differing lists the files that only one of them has, and those whose sums differ.
func differing(a, b sums) []string {
	names := map[string]bool{}
	for name := range a {
		names[name] = a[name] != b[name]
	}
	for name := range b {
		names[name] = a[name] != b[name]
	}
	maps.DeleteFunc(names, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(names))
}
