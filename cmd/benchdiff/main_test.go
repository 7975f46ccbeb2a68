package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/verdict"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/links"
)

// bin holds the command and those it needs.
var bin string

func TestMain(m *testing.M) {
	links.Play()
	os.Exit(func() int {
		var err error
		if bin, err = os.MkdirTemp("", "benchdiff-test-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(bin)
		build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), ".", "../benchrounds")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v: %s", err, out)
			return 1
		}
		if err := links.Install(bin); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// benchmark is a test file whose only case reports this p50.
func benchmark(ns int) string {
	return fmt.Sprintf(`package p

import "testing"

func BenchmarkA(b *testing.B) {
	b.ReportMetric(%d, "p50-ns")
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
}
`, ns)
}

// repository is a git repository with the files committed, in a directory whose
// name has a space in it, and with an empty directory for temporary files. Its go links
// each source once in all tests.
type repository struct {
	dir, tmp string
	env      []string
}

// newRepository makes one for a test that runs beside others.
func newRepository(t *testing.T, files map[string]string) repository {
	t.Helper()
	t.Parallel()
	if testing.Short() {
		t.Skip("benchdiff builds both sides, which takes all tests half a minute")
	}
	r := repository{dir: filepath.Join(t.TempDir(), "a repository"), tmp: t.TempDir()}
	r.env = append(environ.Measured(os.Environ()), "TMPDIR="+r.tmp, "GOWORK=off", "GOFLAGS=-mod=readonly -trimpath",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	r.env = append(r.env, links.Env(bin)...)
	r.write(t, files)
	r.git(t, "init", "--quiet")
	r.git(t, "add", "--all")
	r.git(t, "commit", "--quiet", "--message=first")
	return r
}

// realGo is a variable for tests of how go is called, and what becomes of it.
func realGo() string { return "PATH=" + os.Getenv("PATH") }

func (r repository) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(r.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

func (r repository) git(t *testing.T, args ...string) (out string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", args, err, b)
	}
	return string(b)
}

// command is benchdiff, to be run in a directory of the repository.
func (r repository) command(t *testing.T, below string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "benchdiff"), args...)
	cmd.Dir, cmd.Env = filepath.Join(r.dir, below), r.env
	return cmd
}

// run runs benchdiff to its end, and sees to it that it leaves nothing behind.
func (r repository) run(t *testing.T, below string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := r.command(t, below, append(args, "--", "-test.bench=.", "-test.benchtime=1x")...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	r.checkClean(t)
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func (r repository) checkClean(t *testing.T) {
	t.Helper()
	if list := r.git(t, "worktree", "list"); strings.Count(list, "\n") != 1 {
		t.Errorf("worktrees are left: %s", list)
	}
	if left, err := filepath.Glob(filepath.Join(r.tmp, "benchdiff*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %s (%v)", left, err)
	}
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s does not have %q:\n%s", what, part, text)
		}
	}
}

func TestATurnHasATenthOfTheTime(t *testing.T) {
	for _, c := range []struct{ about, args, want string }{
		{"of package testing's second", "-test.bench=.", "-test.benchtime=100ms"},
		{"of the last that is given", "--test.benchtime=1s -test.benchtime=0.5s", "-test.benchtime=50ms"},
		{"or of the calls", "-test.benchtime=1000x", "-test.benchtime=100x"},
		{"but one at least", "-test.benchtime=5x", "-test.benchtime=1x"},
	} {
		if got, err := partTime(strings.Fields(c.args)); got != c.want || err != nil {
			t.Errorf("%s: %s, error %v, want %s", c.about, got, err, c.want)
		}
	}
}

const simple = "module example.com/p\n\ngo 1.26.0\n"

// Slow: both sides of a comparison are linked, and measured in turns.
func TestCommits(t *testing.T) {
	for _, c := range []struct {
		about string
		ns    int // of the working tree; the commit takes 1000
		args  []string
		code  int
		say   []string
	}{
		{"no change passes", 1000, []string{"-dedicated"}, 0, []string{"No difference of 5 % or more in 1 benchmark; nothing fails.\n\nhead against HEAD, 20 pairs\n", "1.000µs    0.0%", "  no difference\n"}},
		{"a slower one fails on a dedicated machine", 1100, []string{"-dedicated"}, 1, []string{"1 of 1 benchmark fails, 99.9 % sure: A (p50-ns +10.0%).\n", "  FAIL, slower\n"}},
		{"and is told of on others", 1100, nil, 0, []string{"1 of 1 benchmark is slower, 99.9 % sure: A (p50-ns +10.0%); nothing fails.\n", "  slower\n"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"below/go.mod": simple, "below/p_test.go": benchmark(1000)})
			r.write(t, map[string]string{"below/p_test.go": benchmark(c.ns)})
			stdout, stderr, code := r.run(t, "below", append(c.args, "-rounds=2", "-base=HEAD")...)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			contains(t, "the output", stdout, c.say...)
			contains(t, "the progress", stderr, "building HEAD\nbuilding head\n")
			sentence, _, _ := strings.Cut(stdout, "\n")
			all, err := os.ReadFile(filepath.Join(r.dir, "below", allFile))
			if err != nil || !strings.HasPrefix(string(all), "**"+sentence+"**\n\nhead against HEAD, 20 pairs\n") {
				t.Errorf("%s: error %v, and it has\n%s", allFile, err, all)
			}
			for _, file := range []string{baseFile, againFile, headFile} {
				if text, err := os.ReadFile(filepath.Join(r.dir, "below", file)); err != nil || strings.Count(string(text), "\nBenchmarkA") != 20 {
					t.Errorf("%s: error %v, and it has\n%s", file, err, text)
				}
			}
		})
	}
}

// counting is a test file with a benchmark that prints counts and no times.
func counting(name string, allocs int) string {
	return fmt.Sprintf(`package p

import "testing"

func Benchmark%s(b *testing.B) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(%d, "server-allocs/op")
}
`, name, allocs)
}

func TestCountsOfCommits(t *testing.T) {
	for _, c := range []struct {
		about, head string
		code, turns int
		say         string
	}{
		{"no change passes", counting("Count", 8), 0, 2, "No count has changed in 1 benchmark; nothing fails.\n\nhead against HEAD, 2 turns, 5 where a count seemed to change\n"},
		{"one more fails on any machine", counting("Count", 9), 1, 5, "1 of 1 benchmark fails: Count (server-allocs/op +1).\n"},
		{"of a benchmark that base does not have nothing is compared", counting("Count", 8) + strings.TrimPrefix(counting("Later", 8), "package p\n\nimport \"testing\"\n"), 0, 0, "Nothing was compared, since HEAD has no such benchmark; nothing fails.\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": counting("Count", 8)})
			r.write(t, map[string]string{"p_test.go": c.head})
			bench := "-test.bench=^BenchmarkCount$"
			if strings.Contains(c.head, "Later") {
				bench = "-test.bench=^BenchmarkLater$/x=1"
			}
			var out, said strings.Builder
			cmd := r.command(t, ".", "-counts=5", "-base=HEAD", "--", bench, "-test.benchtime=1x")
			cmd.Stdout, cmd.Stderr = &out, &said
			_ = cmd.Run()
			r.checkClean(t)
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, said.String())
			}
			contains(t, "the output", out.String(), c.say)
			text, _ := os.ReadFile(filepath.Join(r.dir, headFile))
			if n := strings.Count(string(text), "\nBenchmark"); n != c.turns {
				t.Errorf("%d turns, want %d: %s", n, c.turns, text)
			}
			if strings.Contains(said.String(), "another code layout") {
				t.Errorf("base is linked twice: %s", said.String())
			}
		})
	}
}

// layout is a test file that prints where two functions are.
const layout = `package p

import (
	"fmt"
	"os"
	"reflect"
	"testing"
)

func TestMain(m *testing.M) {
	at := func(f any) int64 { return int64(reflect.ValueOf(f).Pointer()) }
	fmt.Println("layout:", at(fmt.Sprint)-at(os.Getpid), at(os.Getwd)-at(os.Getpid))
	os.Exit(m.Run())
}

func BenchmarkA(b *testing.B) {
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
}
`

// Base again has its functions in other places than base, which head has not when its
// source is the same.
func TestBaseAgainHasAnotherLayout(t *testing.T) {
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": layout})
	r.env = append(r.env, realGo(), "GOFLAGS=-mod=readonly '-ldflags=-X example.com/p.a=b -s'")
	_, stderr, code := r.run(t, ".", "-rounds=2", "-base=HEAD")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	contains(t, "the progress", stderr, "building HEAD again, with another code layout\n")
	var layouts [3]string
	for i, file := range []string{baseFile, againFile, headFile} {
		text, err := os.ReadFile(filepath.Join(r.dir, file))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(text), "layout: ")
		layouts[i], _, _ = strings.Cut(rest, "\n")
	}
	if layouts[0] == "" || layouts[0] == layouts[1] || layouts[0] != layouts[2] {
		t.Errorf("base, base again and head have the layouts %q", layouts)
	}
}

// pinning is a test file of which a commit chooses CPUs, unless -pin has others.
func pinning(chosen, gogc string) string {
	return fmt.Sprintf(`package p

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var pin = flag.String("pin", %q, "")

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Printf("pin: %%s\ngogc: %s\n", *pin)
	os.Exit(m.Run())
}

func BenchmarkA(b *testing.B) {
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
}
`, chosen, gogc)
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestBothSidesHaveTheCPUsOfHead(t *testing.T) {
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": pinning("0-1/2-3", "100")})
	r.write(t, map[string]string{"p_test.go": pinning("0,2/1,3", "100")})
	stdout, stderr, code := r.run(t, ".", "-rounds=2", "-base=HEAD")
	if code != 0 {
		t.Errorf("exit code %d, output %s: %s", code, stdout, stderr)
	}
	contains(t, "what it says", stderr, "both sides run on the CPUs of head: -pin=0,2/1,3\n")
	r.write(t, map[string]string{"p_test.go": pinning("0,2/1,3", "50")})
	_, stderr, code = r.run(t, ".", "-rounds=2", "-base=HEAD")
	if code != 2 || strings.Contains(stderr, " rounds") {
		t.Errorf("exit code %d, or it was measured: %s", code, stderr)
	}
	contains(t, "what it says", stderr, `: measured with gogc "50", but base:7 with "100": results of different settings are compared with -mixed only`)
}

// Of several packages the settings of each are known before anything is measured.
// Slow: both sides of a comparison are linked, and measured in turns.
func TestSettingsOfEachPackage(t *testing.T) {
	other := func(gogc string) string { // with the flag that several packages get
		return strings.Replace(pinning("0-1/2-3", gogc), "var pin = ", `var _, pin = flag.Bool("references", true, ""), `, 1)
	}
	r := newRepository(t, map[string]string{"go.mod": simple, "f/x/bench_test.go": other("100"), "f/y/bench_test.go": other("100")})
	stdout, stderr, code := r.run(t, ".", "-rounds=2", "-base=HEAD", "-pkg=f/x,f/y")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	contains(t, "benchmarks of one name in two packages", stdout, "in 2 benchmarks; nothing fails.", "\npackage example.com/p/f/x\n", "\npackage example.com/p/f/y\n")
	r.write(t, map[string]string{"f/y/bench_test.go": other("50")})
	_, stderr, code = r.run(t, ".", "-rounds=2", "-base=HEAD", "-pkg=f/x,f/y")
	if code != 2 || strings.Contains(stderr, " rounds") {
		t.Errorf("exit code %d, or it was measured: %s", code, stderr)
	}
	contains(t, "what it says", stderr, `measured with gogc "50"`)
}

// nan is a benchmark with a figure that is not a number.
const nan = `package p

import (
	"math"
	"testing"
)

func BenchmarkA(b *testing.B) { b.ReportMetric(math.NaN(), "calls/s") }
`

func TestWhatCannotBeCompared(t *testing.T) {
	good := map[string]string{"go.mod": simple, "p_test.go": benchmark(1000)}
	for _, c := range []struct {
		about string
		files map[string]string // to be written after the commit
		args  []string
		say   string
	}{
		{"no such commit", nil, []string{"-base=nosuch"}, "benchdiff: nosuch cannot be checked out: git worktree add"},
		{"head does not compile", map[string]string{"p_test.go": "package p\n\nvar x int = 1.5\n"}, []string{"-base=HEAD"}, "benchdiff: head does not build: go test -c"},
		{"NaN in a result", map[string]string{"p_test.go": nan}, []string{"-base=HEAD"}, "benchdiff: bench-head.txt:"},
		{"no benchmarks", map[string]string{"p_test.go": "package p\n"}, []string{"-base=HEAD"}, "benchdiff: nothing was measured"},
		{"a mistyped flag", nil, []string{"-round=3"}, "benchdiff: unknown flag -round; did you mean -rounds?\n"},
		{"a number that is none", nil, []string{"-rounds=six"}, "benchdiff: -rounds=six: must be a whole number\n"},
		{"no rounds", nil, []string{"-rounds=0"}, "benchdiff: -rounds=0: must be 2 or more"},
		{"a round is not enough", nil, []string{"-rounds=1"}, "benchdiff: -rounds=1: must be 2 or more"},
		{"few turns of counts", nil, []string{"-counts=4"}, "benchdiff: -counts=4: must be 5 or more, fewer tell nothing"},
		{"repeats in a process", nil, []string{"--", "-test.bench=.", "-test.count=2"}, "benchdiff: -test.count=2: the rounds are the repeats, each in a process of its own: leave it out\n"},
		{"a directory where lines are kept", map[string]string{"bench-head.txt/x": ""}, nil, "benchdiff: bench-head.txt is a directory, not a file\n"},
		{"a directory where the rows are kept", map[string]string{"bench-diff.md/x": ""}, nil, "benchdiff: bench-diff.md is a directory, not a file\n"},
		{"versions of nothing", nil, []string{"-a=v1.0.0"}, "benchdiff: -a and -b are versions of a module: -mod must name it"},
		{"one version", nil, []string{"-mod=example.com/dep", "-a=v1.0.0"}, "benchdiff: -mod=example.com/dep: -a and -b must give the versions to compare"},
		{"versions of a module that is not required", nil, []string{"-mod=example.com/dep", "-a=v1.0.0", "-b=v1.1.0"}, "benchdiff: go.mod does not require example.com/dep"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, good)
			r.write(t, c.files)
			stdout, stderr, code := r.run(t, ".", append([]string{"-rounds=2"}, c.args...)...)
			if code != 2 || stdout != "" || strings.Contains(stderr, "-dedicated") {
				t.Errorf("exit code %d, output %q, or the usage: %s", code, stdout, stderr)
			}
			contains(t, "what it says", stderr, c.say)
		})
	}
}

func TestABaseWithoutThePackage(t *testing.T) {
	r := newRepository(t, map[string]string{"README.md": "first\n"})
	r.write(t, map[string]string{"below/go.mod": simple, "below/p_test.go": benchmark(1000)})
	_, stderr, code := r.run(t, "below", "-base=HEAD")
	if code != 2 {
		t.Errorf("exit code %d", code)
	}
	contains(t, "what it says", stderr, "benchdiff: HEAD does not build")
}

// versioned prints the version of a dependency, as package suite does.
const versioned = `package p

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/dep"
)

//go:embed go.mod
var goMod string

func TestMain(m *testing.M) {
	_, v, _ := strings.Cut(goMod, "example.com/dep ")
	fmt.Println("dep: " + strings.Fields(v)[0])
	os.Exit(m.Run())
}

func BenchmarkA(b *testing.B) {
	b.ReportMetric(dep.Takes, "p50-ns")
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
}
`

// proxy makes a module proxy of files, with versions of example.com/dep whose
// Takes is what is given.
func proxy(t *testing.T, takes map[string]string) (url string) {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "example.com/dep/@v")
	err := os.MkdirAll(dir, 0o700)
	for version, code := range takes {
		mod := []byte("module example.com/dep\n")
		var archive bytes.Buffer
		w := zip.NewWriter(&archive)
		for name, text := range map[string]string{"go.mod": string(mod), "dep.go": "package dep\n\n" + code + "\n"} {
			file, e := w.Create("example.com/dep@" + version + "/" + name)
			_, e2 := io.WriteString(file, text)
			err = errors.Join(err, e, e2)
		}
		err = errors.Join(err, w.Close(),
			os.WriteFile(filepath.Join(dir, version+".zip"), archive.Bytes(), 0o600),
			os.WriteFile(filepath.Join(dir, version+".mod"), mod, 0o600),
			os.WriteFile(filepath.Join(dir, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.ToSlash(root)
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestVersions(t *testing.T) {
	files := map[string]string{"go.mod": simple + "\nrequire example.com/dep v1.0.0\n", "p_test.go": versioned}
	r := newRepository(t, files)
	r.env = append(r.env, "GOSUMDB=off", "GOMODCACHE="+filepath.Join(t.TempDir(), "mod"), "GOFLAGS=-modcacherw", "GOPROXY="+proxy(t, map[string]string{
		"v1.0.0": "const Takes = 1000",
		"v1.1.0": "const Takes = 1100",
		"v1.2.0": "const Gives = 1",
	}))
	for _, c := range []struct {
		about, a, b string
		code        int
		stdout      []string
		stderr      string
	}{
		{"an upgrade", "v1.0.0", "v1.1.0", 1, []string{"1 of 1 benchmark fails, 99.9 % sure: A (p50-ns +10.0%).\n\nv1.1.0 against v1.0.0, 20 pairs\n"}, "building example.com/dep@v1.0.0\nbuilding example.com/dep@v1.1.0\n"},
		{"a downgrade", "v1.1.0", "v1.0.0", 0, []string{"1 of 1 benchmark is faster, 99.9 % sure: A (p50-ns -9.1%); nothing fails.\n\nv1.0.0 against v1.1.0"}, "building"},
		{"a version that is not there", "v1.0.0", "v1.3.0", 2, nil, "benchdiff: example.com/dep v1.3.0 cannot be had: go mod download example.com/dep@v1.3.0: exit status 1\n\tgo: example.com/dep@v1.3.0: "},
		{"a version that does not build", "v1.2.0", "v1.0.0", 2, nil, "benchdiff: example.com/dep@v1.2.0 does not build"},
		{"a version that is none", "v1.0.0", "latest", 2, nil, "benchdiff: example.com/dep latest cannot be had: go "},
	} {
		t.Run(c.about, func(t *testing.T) {
			stdout, stderr, code := r.run(t, ".", "-rounds=2", "-dedicated", "-mod=example.com/dep", "-a="+c.a, "-b="+c.b)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			contains(t, "the output", stdout, c.stdout...)
			contains(t, "what it says", stderr, c.stderr)
		})
	}
	t.Run("packages that depend on it", func(t *testing.T) {
		ofPackage := strings.NewReplacer("//go:embed go.mod\nvar goMod string", "var goMod = p.GoMod", "\t_ \"embed\"\n", "",
			"package p\n", "package f\n", "\t\"fmt\"", "\t\"flag\"\n\t\"fmt\"",
			"func TestMain", "var _ = flag.Bool(\"references\", true, \"\")\n\nfunc TestMain",
			"\t\"example.com/dep\"", "\t\"example.com/dep\"\n\t\"example.com/p\"").Replace(versioned)
		r.write(t, map[string]string{
			"p.go":            "package p\n\nimport _ \"embed\"\n\n//go:embed go.mod\nvar GoMod string\n",
			"f/bench_test.go": ofPackage, "g/bench_test.go": benchmark(1000),
			"h/bench_test.go": strings.Replace(ofPackage, "\tfmt.Println(\"dep: \" +", "\tfmt.Println(\"dependent: \" +", 1),
		})
		tidy := exec.Command("go", "mod", "tidy")
		tidy.Dir, tidy.Env = r.dir, r.env
		if out, err := tidy.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		r.git(t, "add", "--all")
		r.git(t, "commit", "--quiet", "--message=packages")
		stdout, stderr, code := r.run(t, ".", "-rounds=2", "-dedicated", "-mod=example.com/dep", "-a=v1.0.0", "-b=v1.1.0", "-pkg=f,g,h")
		if code != 1 {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		contains(t, "the output", stdout, "1 of 1 benchmark fails, 99.9 % sure: A (p50-ns +10.0%).\n\nv1.1.0 against v1.0.0, 20 pairs\n")
		contains(t, "what it says", stderr, "of 3 packages these depend on example.com/dep: f, h\nbuilding f of example.com/dep@v1.0.0\n",
			"of 2 binaries these print the version of example.com/dep: f\nbuilding f of example.com/dep@v1.1.0\n")
		_, stderr, code = r.run(t, ".", "-mod=example.com/dep", "-a=v1.0.0", "-b=v1.1.0", "-pkg=h")
		if code != 2 {
			t.Errorf("exit code %d", code)
		}
		contains(t, "what it says", stderr, "benchdiff: no binary prints which version of example.com/dep ran; ")
		_, stderr, code = r.run(t, ".", "-mod=example.com/other", "-a=v1.0.0", "-b=v1.1.0", "-pkg=f,g")
		if code != 2 {
			t.Errorf("exit code %d", code)
		}
		contains(t, "what it says", stderr, "benchdiff: none of f, g depends on example.com/other: there are no versions to compare\n")
	})
	t.Run("a binary that says it ran another", func(t *testing.T) {
		r.write(t, map[string]string{"p_test.go": strings.Replace(versioned, "strings.Fields(v)[0]", `v[:0]+"v1.0.0"`, 1)})
		r.git(t, "commit", "--quiet", "--all", "--message=lies")
		_, stderr, code := r.run(t, ".", "-mod=example.com/dep", "-a=v1.0.0", "-b=v1.1.0")
		contains(t, "what it says", stderr, "benchdiff: the binary of example.com/dep v1.1.0 says it ran v1.0.0")
		if code != 2 {
			t.Errorf("exit code %d", code)
		}
	})
}

func TestAnnotations(t *testing.T) {
	report := func(s verdict.Status) *verdict.Report {
		return &verdict.Report{Remark: "5% of A\n. ", Benchmarks: []verdict.Benchmark{{Rows: []verdict.Row{{Status: s, Unit: "B/op", Why: "told"}}}}}
	}
	for _, c := range []struct {
		about, actions string
		status         verdict.Status
		want           string
	}{
		{"slower is a warning at the job", "true", verdict.Slower, "::warning title=benchmarks::5%25 of A\\n. 1 of 1 benchmark is slower:  (B/op told); nothing fails.\n"},
		{"so is more", "true", verdict.More, "::warning title=benchmarks::5%25 of A\\n. 1 of 1 benchmark needs more:  (B/op told); nothing fails.\n"},
		{"what fails is an error", "true", verdict.Fail, "::error title=benchmarks::5%25 of A\\n. 1 of 1 benchmark fails:  (B/op told).\n"},
		{"faster needs no attention", "true", verdict.Faster, ""},
		{"nor does doubt", "true", verdict.CannotTell, ""},
		{"nobody reads it elsewhere", "", verdict.Fail, ""},
	} {
		var b strings.Builder
		annotate(&b, func(string) string { return c.actions }, report(c.status))
		if b.String() != c.want {
			t.Errorf("%s: %q, want %q", c.about, b.String(), c.want)
		}
	}
}
