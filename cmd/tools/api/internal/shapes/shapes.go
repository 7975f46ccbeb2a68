package shapes

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Binaries are those that have benchmarks, by their files.
type Binaries struct{ Frameworks, Serializers, Footprint string }

// plain are flags that add optional keys to the names of benchmarks, and others selections that
// have names of another shape.
func plain() []string {
	return []string{"-test.bench=. -set=all", "-test.bench=Echo -with=gzip -metadata=0,20 -chain=0,5", "-test.bench=Echo -net=unix", "-test.bench=Echo -cores=1"}
}

func others() []string {
	return []string{
		"-test.bench=Workload -size=1KiB",
		"-test.bench=Cluster -slow=1:10x -policy=all",
		"-test.bench=Rate/./././msg=bench", "-test.bench=Rate/./././streams=/./.",
		"-test.bench=Rate/./././streams=/./rate=/mode=server", "-test.bench=Rate/./././streams=/./rate=/mode=fanout",
		"-test.bench=Stream/./././././mode=server", "-test.bench=Stream/./././././mode=fanout",
	}
}

// Lines are the names of benchmarks with their keys, what their lines have, and all units.
func (b Binaries) Lines() (lines []string, err error) {
	for _, list := range append([][]string{plain()}, split(others())...) {
		var all []string
		for _, args := range list {
			cases, e := run(b.Frameworks, "-cases -test.run=^$ "+args)
			all, err = append(all, cases...), errors.Join(err, e)
		}
		lines = append(lines, Shapes(all)...)
	}
	cases, e := run(b.Serializers, "-cases -test.run=^$ -test.bench=(Codec|Parallel)/codec=(json|gob)/msg=bench")
	started, f := run(b.Footprint, "-cases")
	slices.Sort(lines)
	lines = slices.Concat(lines, Shapes(cases), Shapes(started), units())
	seen, g := b.seen()
	return append(lines, seen...), errors.Join(err, e, f, g)
}

func split(list []string) (lists [][]string) {
	for _, one := range list {
		lists = append(lists, []string{one})
	}
	return lists
}

// units lists the units of frameworks, with what they mean.
func units() (lines []string) {
	for _, u := range loadbench.Units() {
		for name := range strings.SplitSeq(u.Names, ", ") {
			lines = append(lines, fmt.Sprintf("unit %s, better=%s, assume=%s: %s", name, u.Better, u.Assume, u.Meaning))
		}
	}
	return lines
}

// seen are the units of lines that are measured, and what serializers and starts say of theirs.
func (b Binaries) seen() (lines []string, err error) {
	for _, r := range []struct{ binary, args string }{
		{b.Frameworks, "-test.run=^$ -test.benchtime=1x -test.bench=Echo/framework=netrpc/transport=tcp/codec=gob -size=64B -conc=1"},
		{b.Serializers, "-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=json$/msg=bench$/op=marshal$"},
		{b.Footprint, "-rest=0s"},
	} {
		printed, e := run(r.binary, r.args)
		for _, line := range printed {
			if strings.HasPrefix(line, "Unit ") && r.binary != b.Frameworks || strings.HasPrefix(line, "Benchmark") {
				lines = append(lines, unitsOf(line))
			}
		}
		err = errors.Join(err, e)
	}
	return lines, err
}

// unitsOf is a line of a benchmark without its keys and values, and any other line as it is.
func unitsOf(line string) string {
	fields := strings.Fields(line)
	name, _, is := strings.Cut(fields[0], "/")
	if !is {
		return line
	}
	for i := 3; i < len(fields); i += 2 {
		name += " " + fields[i]
	}
	return "line of " + name
}

// run runs a binary in its directory, and returns the lines that it prints.
func run(binary, args string) ([]string, error) {
	cmd := exec.Command(binary, strings.Fields(args)...)
	cmd.Dir = filepath.Dir(binary)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", cmd, err, failed.Stderr)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"), err
}
