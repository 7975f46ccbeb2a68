package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// recorder stands for all programs. It keeps what it is called with: arguments end
// with a NUL, calls with a line.
const recorder = `#!/bin/sh
{ printf '%s\0' "$(basename "$0")" "$@"; echo; } >>"$RECORD"
`

// workplace is a directory with a Makefile in which nothing but recorders is run.
func workplace(t *testing.T, makefile string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), mode))
	}
	for _, pattern := range []string{"Makefile", ".ci/*.mk", "testdata/results/*.mk"} {
		files, err := filepath.Glob(filepath.Join(filepath.Dir(makefile), pattern))
		require.NoError(t, err)
		for _, file := range files {
			name, err := filepath.Rel(filepath.Dir(makefile), file)
			require.NoError(t, err)
			write(name, readFile(t, file), 0o600)
		}
	}
	write("path/go", recorder, 0o700)
	for _, command := range []string{"benchdiff", "benchrounds", "benchreport", "benchstat", "peer"} {
		write("bin/"+command, recorder, 0o700)
		write(".tools/"+command, recorder, 0o700)
	}
	for _, f := range []string{"tcp", "grpc", "kitex", "rpcx", "arpc", "dubbo", "motan", "nats", "trpc", "zrpc"} {
		write("frameworks/"+f+"/bench_test.go", "", 0o600)
	}
	return dir
}

// calls are what programs were called with by make.
func calls(t *testing.T, dir string, args ...string) (all [][]string, said string) {
	t.Helper()
	record := filepath.Join(dir, "record")
	_ = os.Remove(record)
	cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(environ.Tools(os.Environ()), "MAKEFLAGS=", "MAKELEVEL=", "RECORD="+record, "PATH="+filepath.Join(dir, "path")+":"+os.Getenv("PATH"))
	out, _ := cmd.CombinedOutput()
	text, _ := os.ReadFile(record)
	for call := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x00\n"), "\x00\n") {
		all = append(all, strings.Split(call, "\x00"))
	}
	return all, string(out)
}

// What a variable has reaches a program as it is, and no shell.
func TestVariablesReachNoShell(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	const (
		given = "a  b;touch planted `touch planted` $$(touch planted) ' \" # & | < > * ? ~ \\"
		value = "a  b;touch planted `touch planted` $(touch planted) ' \" # & | < > * ? ~ \\"
	)
	for _, c := range []struct {
		makefile, target, variable, program, want string
	}{
		{"../Makefile", "bench-diff", "BASE", "benchdiff", "-base="},
		{"../Makefile", "bench-diff", "BENCH", "benchdiff", "-test.bench="},
		{"../Makefile", "bench-diff", "BENCHTIME", "benchdiff", "-test.benchtime="},
		{"../Makefile", "bench-diff", "ROUNDS", "benchdiff", ""},
		{"../Makefile", "bench-diff", "FLAGS", "benchdiff", ""},
		{"../Makefile", "bench-diff", "DIFFFLAGS", "benchdiff", ""},
		{"../Makefile", "bench-count", "BASE", "benchdiff", "-base="},
		{"../Makefile", "bench-count", "FLAGS", "benchdiff", ""},
		{"../Makefile", "bench-count", "DIFFFLAGS", "benchdiff", ""},
		{"../Makefile", "bench-versions", "MOD", "benchdiff", "-mod="},
		{"../Makefile", "bench-versions", "A", "benchdiff", "-a="},
		{"../Makefile", "bench-versions", "B", "benchdiff", "-b="},
		{"../Makefile", "bench", "BENCH", "benchrounds", "-test.bench="},
		{"../Makefile", "bench", "OUT", "benchrounds", "=bin/tcp.test"},
		{"../Makefile", "bench", "FLAGS", "benchrounds", ""},
		{"../Makefile", "bench", "ROUNDS", "benchrounds", ""},
		{"../Makefile", "bench", "BENCHTIME", "benchrounds", "-test.benchtime="},
		{"../Makefile", "anatomy", "BENCH", "benchrounds", "-test.bench="},
		{"../Makefile", "anatomy", "FLAGS", "benchrounds", ""},
		{"../Makefile", "anatomy", "ROUNDS", "benchrounds", "-n="},
		{"../Makefile", "anatomy", "BENCHTIME", "benchrounds", "-only=anatomy.txt=-test.benchtime="},
		{"../Makefile", "count", "OUT", "benchrounds", "=bin/tcp.test"},
		{"../Makefile", "footprint", "OUT", "benchrounds", "=bin/tcp.footprint"},
		{"../Makefile", "footprint", "OUT", "benchreport", ""},
		{"../Makefile", "footprint", "ROUNDS", "benchrounds", "-n="},
		{"../Makefile", "bench-codecs", "MSG", "benchrounds", "-test.bench=^BenchmarkCodec$/./msg="},
		{"../Makefile", "peers", "FLAGS", "peer", ""},
		{"../Makefile", "table", "OUT", "go", ""},
		{"../Makefile", "report", "REPORT", "benchreport", "-o="},
		{"../Makefile", "report", "RECORDS", "benchreport", "-results="},
		{"../Makefile", "report", "TEXTS", "benchreport", ""},
		{"../Makefile", "test", "HOW", "go", ""},
		{"../Makefile", "check/once", "SET", "go", "-set="},
		{"../Makefile", "thorough/mutants", "MUTANTS", "go", ""},
		{"../Makefile", "release", "VERSION", "go", ""},
		{"../Makefile", "release", "PLATFORMS", "go", "-platforms="},
		{"../frameworks/suite/example/Makefile", "bench-diff", "BASE", "benchdiff", "-base="},
		{"../frameworks/suite/example/Makefile", "bench-diff", "BENCH", "benchdiff", "-test.bench="},
		{"../frameworks/suite/example/Makefile", "bench-diff", "BENCHTIME", "benchdiff", "-test.benchtime="},
		{"../frameworks/suite/example/Makefile", "bench-diff", "ROUNDS", "benchdiff", "-rounds="},
		{"../frameworks/suite/example/Makefile", "bench-diff", "FLAGS", "benchdiff", ""},
		{"../frameworks/suite/example/Makefile", "bench-diff", "DIFFFLAGS", "benchdiff", ""},
		{"../frameworks/suite/example/Makefile", "bench-count", "DIFFFLAGS", "benchdiff", ""},
		{"../frameworks/suite/example/Makefile", "bench-count", "BASE", "benchdiff", "-base="},
		{"../frameworks/suite/example/Makefile", "bench-count", "FLAGS", "benchdiff", ""},
		{"../frameworks/suite/example/Makefile", "bench-versions", "MOD", "benchdiff", "-mod="},
		{"../frameworks/suite/example/Makefile", "bench-versions", "A", "benchdiff", "-a="},
		{"../frameworks/suite/example/Makefile", "bench-versions", "B", "benchdiff", "-b="},
		{"../frameworks/suite/example/Makefile", "bench", "BENCH", "benchrounds", "-test.bench="},
		{"../loadgen/example/Makefile", "bench-diff", "BASE", "benchdiff", "-base="},
		{"../loadgen/example/Makefile", "bench-count", "BASE", "benchdiff", "-base="},
		{"../loadgen/example/Makefile", "bench-diff", "BENCH", "benchdiff", "-test.bench="},
		{"../loadgen/example/Makefile", "bench", "BENCHTIME", "benchrounds", "-test.benchtime="},
	} {
		about := c.makefile + ": " + c.target + " " + c.variable
		t.Run(strings.ReplaceAll(about, "/", "|"), func(t *testing.T) {
			t.Parallel()
			dir := workplace(t, c.makefile)
			all, said := calls(t, dir, c.target, c.variable+"="+given, "MODULES=.")
			assert.NoFileExists(t, filepath.Join(dir, "planted"))
			var words []string
			for _, call := range all {
				if call[0] == c.program {
					words = append(words, call...)
				}
			}
			alone := slices.ContainsFunc(words, func(w string) bool { return w == c.want+value || w == value+c.want })
			listed := !slices.ContainsFunc(strings.Fields(value)[1:], func(w string) bool { return !slices.Contains(words, w) })
			assert.True(t, alone || c.want == "" && listed, "%q: %s", words, said)
		})
	}
	dir := workplace(t, "../Makefile")
	for _, args := range [][]string{{"bench-diff", "FRAMEWORKS=tcp;touch planted"}, {"bench-diff", "FLAGS=-framework=tcp;touch planted"}, {"bench-count", "FRAMEWORKS=tcp;touch planted"}, {"lint", "MODULES=tcp;touch planted"}} {
		_, said := calls(t, dir, args...)
		assert.Contains(t, said, "***", args)
		assert.NoFileExists(t, filepath.Join(dir, "planted"), args)
	}
}

// A path with a space in it is a path, for the directory of a Makefile and for its tools.
func TestExamplesInAPathWithASpace(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	const installing = `#!/bin/sh
[ "$1" = install ] || exit 0
case "$2" in *@v9.9.9) echo "reading https://proxy/$2: 403 Forbidden" >&2; exit 1;; esac
name=${2##*/}; cp "$RECORDER" "$GOBIN/${name%@*}"
`
	for _, makefile := range []string{"../frameworks/suite/example/Makefile", "../loadgen/example/Makefile"} {
		for _, c := range []struct {
			about string
			args  []string
			tools string
		}{
			{"its own place for tools", nil, ".tools"},
			{"another with a space", []string{"TOOLS=my tools"}, "my tools"},
			{"another place", []string{"TOOLS=" + filepath.Join(t.TempDir(), "t")}, ""},
		} {
			from := workplace(t, makefile)
			require.NoError(t, os.RemoveAll(filepath.Join(from, ".tools")))
			dir := filepath.Join(t.TempDir(), "a b", "c")
			require.NoError(t, os.MkdirAll(filepath.Dir(dir), 0o700))
			require.NoError(t, os.Rename(from, dir))
			tool := filepath.Join(dir, "recorder")
			require.NoError(t, os.WriteFile(tool, []byte(recorder), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "path", "go"), []byte(strings.Replace(installing, "$RECORDER", tool, 1)), 0o700))
			for _, target := range []string{"bench", "bench-diff", "bench-count"} {
				all, said := calls(t, dir, append([]string{target}, c.args...)...)
				assert.NotContains(t, said, "***", "%s, %s: %s", makefile, c.about, target)
				require.NotEmpty(t, all, said)
				assert.Contains(t, []string{"benchrounds", "benchdiff"}, all[0][0], said)
			}
			if c.tools != "" {
				assert.FileExists(t, filepath.Join(dir, c.tools, "benchdiff"), c.about)
			}
			require.NoError(t, os.RemoveAll(filepath.Join(dir, ".tools")))
			_, said := calls(t, dir, "bench-count", "RPCBENCH=v9.9.9")
			assert.Contains(t, said, "go cannot have rpcbench v9.9.9; its newest commit: make bench-count RPCBENCH=main\nsee https://github.com/rpcbench/rpcbench/blob/main/RELEASES.md\n")
			assert.NoFileExists(t, filepath.Join(dir, ".tools", "benchdiff"))
		}
	}
}
