package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// profiled is a test file whose only case keeps what -anatomy keeps, with this number of samples
// of a function, of 1 µs of a call each.
func profiled(spin int) string {
	return fmt.Sprintf(`package p

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	dir  = flag.String("anatomy", "", "")
	list = flag.Bool("cases", false, "")
	fault = flag.String("fault", "", "")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *dir != "" && *fault != "" {
		fmt.Fprintln(os.Stderr, "p.test: -fault and -anatomy do not go together")
		os.Exit(2)
	}
	if *list {
		fmt.Println("BenchmarkA")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func BenchmarkA(b *testing.B) {
	b.ReportMetric(1000, "p50-ns")
	b.ReportMetric(7, "calls/s")
	b.ReportMetric(0, "ns/op")
	if *dir == "" {
		return
	}
	os.MkdirAll(*dir, 0o700)
	name := filepath.Join(*dir, fmt.Sprint(os.Getpid()))
	stacks := "main.main;syscall.write 10\n" + strings.Repeat("main.main;net/rpc.(*Client).send;net/rpc.spin 1\n", %d)
	for end, text := range map[string]string{
		".json": fmt.Sprintf("{\"name\": \"BenchmarkA\", \"start\": %%q, \"metrics\": {\"client-cpu-ns/op\": %%d, \"server-cpu-ns/op\": 10000}, \"config\": {\"sample\": \"1ms\"}, \"result\": {\"sent\": 1000}}", time.Now().Format(time.RFC3339Nano), 1000*(10+%d)),
		".client.folded": stacks, ".server.folded": "main.main;syscall.write 10\n",
	} {
		os.WriteFile(name+end, []byte(text), 0o600)
	}
}
`, spin, spin)
}

// Slow: both sides of a comparison are linked, and measured in turns.
func TestAnatomy(t *testing.T) {
	r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": profiled(0), "bench-anatomy/kept": ""})
	r.write(t, map[string]string{"p_test.go": profiled(5)})
	stdout, stderr, code := r.run(t, ".", "-rounds=2", "-base=HEAD", "-anatomy")
	require.Zero(t, code, stderr)
	contains(t, "the output", stdout, "No difference of 5 % or more in 1 benchmark; nothing fails.\n", `
CPU time of a call, µs     base     head  change (99.9 % sure)
A, client                 10.00    15.00  +5.00 (+5.00 to +5.00)
  framework                0.00     5.00  +5.00 (+5.00 to +5.00)
  1 other part: cannot be told: ±0.000
A, server                 10.00    10.00  cannot be told: ±0.000
  1 part: cannot be told: ±0.000

Functions that changed most, of 3, each with what it calls of the runtime:
A, client                  0.00     5.00  +5.00 (+5.00 to +5.00)  framework  net/rpc.spin
Profiles: bench-anatomy
All rows, for a pull request as well: bench-diff.md
`)
	all, err := os.ReadFile(filepath.Join(r.dir, allFile))
	require.NoError(t, err)
	contains(t, allFile, string(all), "\n<details><summary>Where the CPU time of a call goes</summary>\n\n    CPU time of a call", "framework  net/rpc.spin\n\n</details>\n")
	assert.FileExists(t, filepath.Join(r.dir, "bench-anatomy.old/kept"))
	assert.NoFileExists(t, filepath.Join(r.dir, "bench-anatomy/kept"))
}

func TestNoAnatomy(t *testing.T) {
	const without = "Parts of a call are not compared, since binaries of HEAD do not know -anatomy.\n"
	for _, c := range []struct {
		about string
		args  []string
		base  string // the commit's file
		code  int
		say   string // on standard output, or if that is empty as an error
	}{
		{"a base from before it is compared without", []string{"-anatomy"}, benchmark(1000), 0, without},
		{"counts have no parts", []string{"-anatomy", "-counts=5"}, profiled(0), 2, "benchdiff: -anatomy says where time goes, and -counts compares no times: leave one of them out\n"},
		{"a directory for both sides", []string{"-anatomy", "--", "-test.bench=.", "-anatomy=d"}, profiled(0), 2, "benchdiff: -anatomy=d behind --: the binaries get a directory for each side by -anatomy before it: leave it out\n"},
		{"what the binaries refuse is told before they are measured", []string{"-anatomy", "--", "-test.bench=.", "-fault=kill"}, profiled(0), 2, "benchdiff: p.test: -fault and -anatomy do not go together\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := newRepository(t, map[string]string{"go.mod": simple, "p_test.go": c.base})
			r.write(t, map[string]string{"p_test.go": profiled(0)})
			stdout, stderr, code := r.run(t, ".", append([]string{"-rounds=2", "-base=HEAD"}, c.args...)...)
			assert.Equal(t, c.code, code, stderr)
			if c.code == 0 {
				contains(t, "the output", stdout, c.say)
				assert.Contains(t, stderr, "benchdiff: "+without, "it is told before the rounds, too")
			} else {
				assert.Empty(t, stdout)
				assert.True(t, strings.HasSuffix(stderr, c.say), stderr)
			}
		})
	}
}
