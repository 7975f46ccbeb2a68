package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// framework is a file of benchmarks that knows the flags of package suite, of
// frameworks that take some time a call.
func framework(takes map[string]int) string {
	var cases strings.Builder
	for _, name := range []string{"x", "y", "z"} {
		if ns, there := takes[name]; there {
			fmt.Fprintf(&cases, "\tone(b, %q, %d)\n", name, ns)
		}
	}
	return `package p

import (
	"flag"
	"strings"
	"testing"
)

var (
	references = flag.Bool("references", true, "")
	wanted     = flag.String("framework", "", "")
)

func BenchmarkA(b *testing.B) {
` + cases.String() + `	if *references {
		one(b, "tcp", 10)
	}
}

func one(b *testing.B, name string, ns float64) {
	if *wanted != "" && !strings.Contains(*wanted, name) {
		return
	}
	b.Run("framework="+name, func(b *testing.B) {
		b.ReportMetric(ns, "p50-ns")
		b.ReportMetric(7, "calls/s")
		b.ReportMetric(0, "ns/op")
	})
}
`
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestPackages(t *testing.T) {
	x, y := framework(map[string]int{"x": 1000}), framework(map[string]int{"y": 1000})
	all := framework(map[string]int{"x": 1000, "y": 1000, "z": 1000})
	slower := framework(map[string]int{"y": 1100})
	for _, c := range []struct {
		about       string
		base, head  map[string]string
		pkg         string
		code        int
		stdout, say []string
		not         string // in the output
		lines       int    // of base's file
	}{
		{
			"each has a binary, and the references of none are measured",
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			map[string]string{"f/y/bench_test.go": slower},
			"./f/x,./f/y", 1,
			[]string{"1 of 2 benchmarks fails, 99.9 % sure: y (p50-ns +10.0%).\n\nhead against HEAD, 20 pairs: A\n", "\nx\n", "\ny\n"},
			[]string{"building f/x of HEAD\nbuilding f/y of HEAD\nbuilding f/x of head\nbuilding f/y of head\n"},
			"tcp", 40,
		},
		{
			"one alone leaves out its reference as well",
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			nil,
			"f/x", 0,
			[]string{"No difference of 5 % or more in 1 benchmark; nothing fails.\n"},
			nil, "tcp", 20,
		},
		{
			"but has it beside it where base does not know how to leave it out",
			map[string]string{"f/x/bench_test.go": strings.NewReplacer("flag.Bool(\"references\", true, \"\")", "new(true)").Replace(x)},
			map[string]string{"f/x/bench_test.go": x},
			"f/x", 0,
			[]string{"No difference of 5 % or more in 2 benchmarks; nothing fails.\n", "\ntcp\n"},
			nil, "\ny\n", 40,
		},
		{
			"a new one is new, and one that is gone is lost",
			map[string]string{"f/y/bench_test.go": y, "f/z/bench_test.go": framework(map[string]int{"z": 1000})},
			map[string]string{"f/x/bench_test.go": x, "f/z/bench_test.go": ""},
			"f/z,f/x,f/y", 1,
			[]string{"\nx\n  benchmark  new: not in base\n", "\ny\n  calls/s ", "\nz\n  lines      FAIL: 0 in bench-head.txt, 20 expected\n"},
			nil, "tcp", 40,
		},
		{
			"a base without any is compared by the binary that links all",
			map[string]string{"f/x/x.go": "package x\n"},
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			"f/x,f/y", 0,
			[]string{"HEAD has no binaries of one framework each: those that link all are compared. No difference of 5 % or more in 2 benchmarks; nothing fails.\n", "\nx\n", "\ny\n"},
			[]string{"building HEAD\nbuilding head\n"},
			"\nz\n", 40,
		},
		{
			"so is one where only a module of its own had a binary",
			map[string]string{"f/x/x.go": "package x\n", "f/m/go.mod": simple, "f/m/bench_test.go": x},
			map[string]string{"f/x/bench_test.go": x},
			"f/x,f/m", 0,
			[]string{"those that link all are compared. Left out, to be compared alone: m. No difference of 5 % or more in 1 benchmark; nothing fails.\n", ": framework=x\n"},
			[]string{"building HEAD\nbuilding head\n"},
			"new", 20,
		},
		{
			"a base that does not know -references is told",
			map[string]string{"f/x/bench_test.go": benchmark(1000), "f/y/bench_test.go": benchmark(1000)},
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			"f/x,f/y", 2,
			nil,
			[]string{"benchdiff: binaries of HEAD cannot be run together, so compare one package at a time: ", "not defined: -references"},
			"", 0,
		},
		{
			"one that does not compile is named",
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			map[string]string{"f/y/bench_test.go": "package p\n\nvar x int = 1.5\n"},
			"f/x,f/y", 2,
			nil,
			[]string{"benchdiff: f/y of head does not build: go test -c", "cannot use 1.5"},
			"", 0,
		},
		{
			"one that there is not is told with those that there are",
			map[string]string{"f/x/bench_test.go": x, "f/y/bench_test.go": y},
			nil,
			"f/x,f/grcp", 2,
			nil,
			[]string{"benchdiff: -pkg: there is no f/grcp with benchmarks; beside it there are x, y\n"},
			"", 0,
		},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "bench_test.go": all})
			r.write(t, c.base)
			r.git(t, "add", "--all")
			r.git(t, "commit", "--quiet", "--message=base")
			for name, text := range c.head {
				if text == "" {
					os.Remove(filepath.Join(r.dir, name))
					continue
				}
				r.write(t, map[string]string{name: text})
			}
			stdout, stderr, code := r.run(t, ".", "-dedicated", "-rounds=2", "-base=HEAD", "-pkg="+c.pkg)
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, stderr)
			}
			contains(t, "the output", stdout, c.stdout...)
			contains(t, "what it says", stderr, c.say...)
			if c.not != "" && strings.Contains(stdout, c.not) {
				t.Errorf("the output has %q: %s", c.not, stdout)
			}
			text, _ := os.ReadFile(filepath.Join(r.dir, baseFile))
			if n := strings.Count(string(text), "\nBenchmarkA/"); n != c.lines {
				t.Errorf("%d lines of base, want %d", n, c.lines)
			}
		})
	}
}

func TestLists(t *testing.T) {
	for list, say := range map[string]string{
		"":           "",
		"./f/x,f/y/": "",
		"f/x,":       "-pkg=f/x,: a package between two commas is missing",
		"f/x,./f/x":  "-pkg: ./f/x is given twice",
		"../f":       "-pkg: ../f is not below the current directory",
		"/f":         "-pkg: /f is not below the current directory",
	} {
		packages, err := parsePackages(list)
		if got := fmt.Sprint(err); say != "" && got != say || say == "" && err != nil {
			t.Errorf("%q: %v, error %v, want %s", list, packages, err, say)
		}
	}
}
