package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/released"
	"github.com/rpcbench/rpcbench/cmd/tools/api/internal/commands"
	"github.com/rpcbench/rpcbench/cmd/tools/api/internal/records"
	"github.com/rpcbench/rpcbench/cmd/tools/api/internal/shapes"
	"github.com/rpcbench/rpcbench/cmd/tools/api/internal/surface"
)

// surfaces are all, as the code is.
func surfaces(root string) (found []surfaceText, err error) {
	modules, err := load(root, released.Modules())
	if err != nil {
		return nil, err
	}
	for _, m := range modules {
		found = append(found, textOf(strings.ReplaceAll(m.Dir, "/", "-"), m.Lines()))
	}
	binaries, err := build(root, modules)
	if err != nil {
		return nil, err
	}
	for _, s := range []struct {
		name  string
		lines func() ([]string, error)
	}{
		{"commands", func() ([]string, error) { return commands.Lines(binaries.programs) }},
		{"benchmarks", binaries.Lines},
		{"records", func() ([]string, error) { return written(root) }},
	} {
		lines, err := s.lines()
		if err != nil {
			return nil, err
		}
		found = append(found, textOf(s.name, lines))
	}
	return found, nil
}

// written are files of results, and those of the truth table, which no other module can write.
func written(root string) ([]string, error) {
	lines, err := records.Lines()
	truth, e := surface.Fields(root, "cmd/tools", "./truth/internal/record")
	return append(lines, truth...), errors.Join(err, e)
}

func textOf(name string, lines []string) surfaceText {
	return surfaceText{name, strings.Join(lines, "\n") + "\n"}
}

// load reads the modules of directories.
func load(root string, dirs []string) (modules []surface.Module, err error) {
	for _, dir := range dirs {
		m, err := surface.Load(root, dir)
		if err != nil {
			return nil, err
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// binaries are what is run: the commands, and those that have benchmarks.
type binaries struct {
	shapes.Binaries
	programs []commands.Program
}

// build builds all that is run into bin.
func build(root string, modules []surface.Module) (b binaries, err error) {
	bin := filepath.Join(root, "bin")
	for _, m := range modules {
		args := []string{"build", "-C", filepath.Join(root, m.Dir), "-trimpath", "-o", filepath.Join(bin, "api") + "/"}
		for _, c := range m.Commands {
			args = append(args, "."+strings.TrimPrefix(c, m.Dir))
			b.programs = append(b.programs, commands.Program{Name: path.Base(c), Binary: filepath.Join(bin, "api", path.Base(c))})
		}
		if err := run(root, "go", args...); len(m.Commands) > 0 && err != nil {
			return b, err
		}
	}
	b.Binaries = shapes.Binaries{
		Frameworks: filepath.Join(bin, "rpcbench.test"), Serializers: filepath.Join(bin, "codecs.test"), Footprint: filepath.Join(bin, "netrpc.footprint"),
	}
	b.programs = append(b.programs, commands.Program{Name: commands.Frameworks, Binary: filepath.Join(bin, "netrpc.test")},
		commands.Program{Name: commands.Serializers, Binary: b.Serializers}, commands.Program{Name: commands.Footprint, Binary: b.Footprint})
	return b, run(root, "make", "-s", "--no-print-directory", "bin/rpcbench.test", "bin/netrpc.test", "bin/codecs.test", "bin/netrpc.footprint")
}

// run runs a program at the root of the repository.
func run(root, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd, err, out)
	}
	return nil
}
