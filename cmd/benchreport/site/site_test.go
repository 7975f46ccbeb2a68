package site

import (
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
)

// plan is a record of a test.
type plan struct {
	name     string
	heading  history.Heading
	machine  string
	cases    []string
	step     map[string]float64 // what each version's CPU is multiplied by
	allocs   map[string]int
	warnings bool
	detail   bool // as with -detail: twice the units
}

func planOf(name string, rounds int, versions ...string) plan {
	return plan{
		name: name, machine: "cpu: Test\nkernel: 6.18\ngo: go1.26.8\ngoos: linux\ngoarch: amd64\n",
		cases: []string{"Echo/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=100"},
		heading: history.Heading{
			Run: time.Date(2026, 11, 24, 5, 15, 0, 0, time.UTC), Kind: history.OfVersions, Module: "google.golang.org/grpc",
			Commit: "0123456789ab", Reference: "ba9876543210", Rounds: rounds, Versions: versions, Arguments: []string{"-size=1KiB"},
			Refused: []history.Refusal{{Version: "v1.78.0", Why: "does not build"}},
		},
	}
}

// write writes the record, whose figures differ by 1 % from round to round.
func (p plan) write(t *testing.T, dir string) string {
	t.Helper()
	w, err := history.Create(dir, p.name, p.heading)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	for n := range p.heading.Rounds {
		var list []history.Process
		for _, v := range append([]string{history.Reference}, p.heading.Versions...) {
			list = append(list, history.Process{Version: v, Adapter: "frameworks/x", Output: p.output(r, v)})
		}
		require.NoError(t, w.Round(n+1, list))
	}
	return w.File
}

func (p plan) output(r *rand.Rand, version string) []byte {
	text := p.machine + "protobuf: of-" + version + "\n"
	factor, allocs := 1.0, p.allocs[version]
	if f, has := p.step[version]; has {
		factor = f
	}
	for _, c := range p.cases {
		if version == history.Reference {
			c = strings.Replace(c, "=grpc", "=tcp", 1)
		}
		one := func(v float64) float64 { return math.Round(v * factor * (1 + r.NormFloat64()/100)) }
		text += fmt.Sprintf("Benchmark%s \t 10000 \t 22261 ns/op \t 44933 calls/s \t 65.56 client-busy-%% \t %g client-cpu-ns/op \t 10.00 conns \t 0 errors \t %g p50-ns \t %g p99-ns \t 7028 server-B/op \t %d.24 server-allocs/op \t 65.14 server-busy-%% \t %g server-cpu-ns/op \t 8206 B/op \t %d allocs/op",
			c, one(14591), one(1519615), one(14696447), 67+allocs, one(14496), 91+allocs)
		if p.detail {
			for _, unit := range detailed {
				text += fmt.Sprintf(" \t %g %s", one(123456)/100, unit)
			}
		}
		text += "\n"
	}
	if p.warnings {
		text += "# warning: Benchmark" + p.cases[0] + ": other processes took 11 % of the CPUs\n"
	}
	return []byte(text + "PASS\n")
}

var detailed = strings.Fields("client-other-syscalls/op client-rss-B client-switches/op client-syscalls/op max-ns mean-ns min-ns p99.9-ns reply-wire-B/op request-wire-B/op segs/op server-other-syscalls/op server-rss-B server-switches/op server-syscalls/op softirq-%")

var twelve = strings.Fields("v1.74.0 v1.75.0 v1.76.0 v1.77.0 v1.78.0 v1.79.0 v1.80.0 v1.81.0 v1.82.0 v1.83.0 v1.84.0 v1.85.0")

// slower is a record with a step at v1.84.0.
func slower() plan {
	p := planOf("grpc", 20, twelve...)
	p.step = map[string]float64{"v1.84.0": 1.3, "v1.85.0": 1.3}
	p.allocs = map[string]int{"v1.85.0": 3}
	p.warnings = true
	return p
}

// made are the pages of records.
func made(t *testing.T, paths ...string) pages {
	t.Helper()
	s, err := Read(paths)
	require.NoError(t, err)
	p, err := pagesOf(s)
	require.NoError(t, err)
	return p
}

// text is a page without its tags.
func (p pages) text(name string) string {
	plain := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(p[name]), " ")
	return strings.Join(strings.Fields(html.UnescapeString(plain)), " ")
}

func TestPages(t *testing.T) {
	dir := t.TempDir()
	slower().write(t, dir)
	p := made(t, dir)
	assert.Equal(t, []string{"benchmark-echo.html", "framework-grpc.html", "index.html", "record-grpc-20261124t051500z.html", "style.css"}, sortedKeys(p))
	for _, c := range []struct{ about, page, want string }{
		{"the release that got slower stands above all", "index.html", `Test, linux, amd64, kernel 6\.18, go1\.26\.8 grpc ▲ v1\.84\.0: CPU of both sides \+(29|30|31)[.\d]* % ▲ v1\.85\.0: allocations of the client \+3\.3 % 2026-11-24 , 20 rounds`},
		{"a step has its change and its interval", "index.html", `▲ \+(29|30|31)[.\d]* % worse \+29[.\d]* to \+30[.\d]* %`},
		{"and the figures before and after", "index.html", `29[.\d]* µs → 37[.\d]* µs`},
		{"and how sure it is", "index.html", `a false alarm in 0\.05 % of records; 20 rounds`},
		{"and what else changed", "index.html", `20 rounds protobuf of-v1\.83\.0 → of-v1\.84\.0`},
		{"and what the processes noted", "index.html", `other processes took 11 % of the CPUs`},
		{"a count that moved", "index.html", `grpc v1\.85\.0 .*allocations of the client ▲ \+3\.3 % worse in nearly every round 91 → 94`},
		{"the newest release beside the one before", "index.html", `grpc v1\.85\.0 after v1\.84\.0 2026`},
		{"the rounds of the record", "index.html", `20 of 20`},
		{"what was refused", "index.html", `v1\.78\.0 grpc-20261124T051500Z\.txt does not build`},
		{"a chart has its step", "framework-grpc.html", `Step at v1\.84\.0: ▲ \+(29|30|31)`},
		{"and its medians in words", "framework-grpc.html", `Medians: v1\.74\.0: 29`},
		{"what does not change is no chart", "framework-grpc.html", `The same in all versions: .*connections: 10`},
		{"frameworks stand beside each other", "benchmark-echo.html", `grpc \(h2, protobuf\) v1\.74\.0 → v1\.85\.0`},
		{"with the reference", "benchmark-echo.html", `tcp \(h2, protobuf\) the reference`},
		{"a record has its heading", "record-grpc-20261124t051500z.html", `arguments "-size=1KiB"`},
		{"and its raw lines", "record-grpc-20261124t051500z.html", ` v1\.85\.0 round 1 2 3 .* calls 10000 10000 .* client-cpu-ns/op \d+ \d+ `},
	} {
		assert.True(t, regexp.MustCompile(c.want).MatchString(p.text(c.page)), "%s: %s", c.about, c.want)
	}
	links(t, p)
}

// Lines of one name that differ are cases of their own, each with its figures; those that
// a record cannot have are told with the difference.
func TestCasesThatDiffer(t *testing.T) {
	dir := t.TempDir()
	p := planOf("grpc", 8, "v1.84.0", "v1.85.0")
	p.cases = append(p.cases, p.cases[0]+"-8")
	p.warnings = true
	file := p.write(t, dir)
	got := made(t, dir)
	for _, want := range []string{"Echo, 1KiB, 100 callers, 1 proc", "Echo, 1KiB, 100 callers, 8 procs"} {
		assert.Contains(t, got.text("framework-grpc.html"), want)
		assert.Contains(t, got.text("benchmark-echo.html"), want)
	}
	links(t, got)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	other := regexp.MustCompile(`(version: v1\.85\.0\n)`).ReplaceAll(text, []byte("${1}gogc: off\n"))
	other = regexp.MustCompile(`(version: v1\.84\.0\n)`).ReplaceAll(other, []byte("${1}gogc: 100\n"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.txt"), other, 0o600))
	s, err := Read([]string{dir})
	require.NoError(t, err)
	require.Len(t, s.Left, 1)
	assert.Contains(t, s.Left[0].Why, "differ in gogc: ")
}

// Records of one machine that was set up otherwise share no chart either.
func TestConditions(t *testing.T) {
	for about, c := range map[string]struct{ config, procs, here, there string }{
		"another pin":     {"pin: off\n", "", "go1.26.8, pin 0/1", "go1.26.8, pin off"},
		"another setting": {"pin: 0/1\ngogc: off\n", "", "go1.26.8", "go1.26.8, gogc off"},
		"other procs":     {"pin: 0/1\n", "-8", "go1.26.8, 1 proc", "go1.26.8, 8 procs"},
		"all alike":       {"pin: 0/1\n", "", "go1.26.8", "go1.26.8"},
	} {
		dir := t.TempDir()
		here, there := planOf("here", 3, "1", "2"), planOf("there", 3, "1", "2")
		here.heading.Kind, there.heading.Kind = history.OfCommits, history.OfCommits
		here.machine += "pin: 0/1\n"
		if strings.Contains(c.config, "gogc") {
			here.machine += "gogc: 100\n"
			c.here += ", gogc 100"
		}
		there.machine += c.config
		there.cases[0] += c.procs
		there.heading.Run = there.heading.Run.AddDate(0, 0, 1)
		here.write(t, dir)
		there.write(t, dir)
		got := made(t, dir)
		want := 2
		if c.here == c.there {
			want = 1
		}
		for _, page := range []string{"benchmark-echo.html", "repository.html"} {
			assert.Equal(t, want, strings.Count(string(got[page]), "<section>"), "%s: %s", about, page)
			assert.Contains(t, got.text(page), c.here, about)
			assert.Contains(t, got.text(page), c.there, about)
		}
	}
}

// links asserts that every link of every page leads to something.
func links(t *testing.T, p pages) {
	t.Helper()
	for name, text := range p {
		for _, found := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
			file, part, _ := strings.Cut(found[1], "#")
			if file == "" {
				file = name
			}
			require.Contains(t, p, file, "%s: %s", name, found[0])
			if part != "" {
				require.Contains(t, string(p[file]), `id="`+part+`"`, "%s: %s", name, found[0])
			}
		}
	}
}

// Each row is a record, and what is said of it where no step of a time is found.
func TestNothingFound(t *testing.T) {
	few, one, still := planOf("few", 3, twelve...), planOf("one", 12, "v1.85.0"), planOf("still", 20, twelve...)
	for _, c := range []struct {
		about string
		plan  plan
		want  string
	}{
		{"too few rounds are said, and how many it takes", few, `too few rounds to tell: it takes \d+`},
		{"one version cannot be compared", one, `one version alone`},
		{"else it is said how small a step would have been found", still, `no step; a change of CPU by \d+ % would be found`},
	} {
		dir := t.TempDir()
		c.plan.write(t, dir)
		p := made(t, dir)
		assert.Regexp(t, c.want, p.text("index.html"), c.about)
		assert.Regexp(t, c.want, p.text("framework-grpc.html"), c.about)
	}
}

// The newest record that suffices is what a framework is judged by, and what is open on its
// page.
func TestJudged(t *testing.T) {
	type record struct{ rounds, versions int }
	for _, c := range []struct {
		about   string
		records []record // oldest first
		want    string   // the rounds of the one that judges, and what is said of newer ones
	}{
		{"the newest", []record{{20, 3}, {30, 3}}, "30 rounds"},
		{"the newest that has enough rounds, though a newer one has not", []record{{20, 3}, {30, 3}, {3, 3}}, "30 rounds; a newer one of 3 rounds is too short"},
		{"all that are passed over are counted", []record{{30, 3}, {4, 3}, {3, 3}}, "30 rounds; 2 newer ones are too short"},
		{"an older one that is too short is not worth a word", []record{{3, 3}, {30, 3}}, "30 rounds"},
		{"one version alone does not hide what was found before", []record{{30, 3}, {40, 1}}, "30 rounds"},
		{"the newest where none suffices", []record{{4, 3}, {3, 3}}, "3 rounds"},
	} {
		dir := t.TempDir()
		for n, r := range c.records {
			p := planOf("grpc", r.rounds, twelve[:r.versions]...)
			p.heading.Run = p.heading.Run.AddDate(0, 0, n)
			p.write(t, dir)
		}
		p := made(t, dir)
		_, row, _ := strings.Cut(p.text("index.html"), "go1.26.8 grpc ")
		row, _, _ = strings.Cut(row, " Steps: ")
		assert.Regexp(t, ` , `+c.want+`$`, row, c.about)
		rounds, _, _ := strings.Cut(c.want, " ")
		assert.Regexp(t, `<details class="record" open><summary><h2>[^<]*, `+rounds+` of `, string(p["framework-grpc.html"]), c.about)
		assert.Equal(t, 1, strings.Count(string(p["framework-grpc.html"]), `class="record" open`), c.about)
		if strings.Contains(c.want, "short") {
			assert.Contains(t, p.text("benchmark-echo.html"), " , "+rounds+" rounds.", c.about)
		}
		assert.Equal(t, len(c.records), strings.Count(string(p["index.html"]), `<small>grpc-2026`), "%s: all are listed", c.about)
	}
}

// Figures of two machines share no chart and no table.
func TestMachines(t *testing.T) {
	dir := t.TempDir()
	here, there := slower(), slower()
	there.name, there.machine = "there", strings.Replace(there.machine, "cpu: Test", "cpu: Other", 1)
	there.heading.Run = there.heading.Run.AddDate(0, 0, 1)
	for _, kind := range []string{history.OfVersions, history.OfCommits} {
		here.heading.Kind, there.heading.Kind = kind, kind
		here.name, there.name = "here-"+kind, "there-"+kind
		here.write(t, dir)
		there.write(t, dir)
	}
	p := made(t, dir)
	for _, name := range []string{"benchmark-echo.html", "repository.html"} {
		parts := strings.Split(string(p[name]), "<section>")
		require.Len(t, parts, 3, name)
		for i, of := range []string{"there", "here"} {
			if name == "repository.html" {
				of = []string{"here", "there"}[i]
			}
			for _, found := range regexp.MustCompile(`href="record-([a-z]+)-`).FindAllStringSubmatch(parts[i+1], -1) {
				assert.Equal(t, of, found[1], name)
			}
		}
	}
	for picture := range strings.SplitSeq(string(p["framework-grpc.html"]), "<figure>") {
		picture, _, _ = strings.Cut(picture, "</figure>")
		assert.False(t, strings.Contains(picture, "record-here") && strings.Contains(picture, "record-there"))
	}
	links(t, p)
}

// TestCommits draws one chart over the dates of records, joined within each alone.
func TestCommits(t *testing.T) {
	dir := t.TempDir()
	for n := range 3 {
		week := planOf("commits", 12, fmt.Sprintf("aaaaaaaaaaa%d", n), fmt.Sprintf("aaaaaaaaaaa%d", n+1))
		week.heading.Kind, week.heading.Module = history.OfCommits, ""
		week.heading.Run = week.heading.Run.AddDate(0, 0, 7*n)
		week.step = map[string]float64{history.Reference: 1 + float64(n)/5}
		week.write(t, dir)
	}
	p := made(t, dir)
	assert.Contains(t, p.text("repository.html"), "Medians: 2026-11-24, aaaaaaaaaaa0: ")
	assert.Contains(t, p.text("repository.html"), "2026-12-08, aaaaaaaaaaa3: ")
	assert.Regexp(t, `class="m" d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+M[\d.]+ [\d.]+L[\d.]+ [\d.]+M[\d.]+ [\d.]+L[\d.]+ [\d.]+"`, string(p["repository.html"]))
	assert.Regexp(t, `The reference moved, too: since 2026-12-01 its CPU changed by \+1[67]`, p.text("index.html"))
	assert.Contains(t, string(p["framework-grpc.html"]), `href="repository.html#grpc"`)
	links(t, p)
}

// What a record says is shown, and does nothing else.
func TestHostileNames(t *testing.T) {
	const attack = `<script>alert(1)</script>'"{{1}}`
	dir := t.TempDir()
	p := slower()
	p.cases = []string{"Echo/framework=" + attack + "/conc=100", "Echo" + attack + "/framework=grpc"}
	p.machine = "cpu: " + attack + "\nkernel: \x1b[2J\n"
	p.heading.Module, p.heading.Arguments = attack, []string{attack}
	p.heading.Versions = []string{"v1" + attack, "v2"}
	p.heading.Refused = []history.Refusal{{Version: "v3" + attack, Why: attack + "\u202e"}}
	p.write(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"+attack[:8]+"\x1b.txt"), []byte("history: <script>\x1b"), 0o600))
	site := made(t, dir)
	for name, text := range site {
		assert.NotContains(t, string(text), "<script", name)
		assert.NotContains(t, string(text), `='"{{`, name)
		assert.NotRegexp(t, "[\x1b\u202e]", string(text), name)
		assert.Regexp(t, ownName, name)
	}
	assert.Contains(t, string(site["index.html"]), "&lt;script&gt;")
	links(t, site)
}

// The same records give the same bytes, in whatever order they are given.
func TestSameBytes(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	slower().write(t, dir)
	p := planOf("x", 6, "v1.0.0", "v1.1.0")
	p.write(t, other)
	assert.Equal(t, made(t, dir, other), made(t, other, dir))
}

// mostElements is how many elements a page of them has, though each figure has a step.
const mostElements = 8000

// The limits of the package's documentation: 100 results of 20 rounds, in one record or in
// many.
// Slow: a large site is written.
func TestSize(t *testing.T) {
	for _, c := range []struct {
		about             string
		records, versions int
		cases             int
		kind              string
	}{
		{"one record of 10 versions and 10 cases", 1, 10, 10, history.OfVersions},
		{"10 records of 5 versions and 2 cases", 10, 5, 2, history.OfVersions},
		{"50 records of 2 commits and a case", 50, 2, 1, history.OfCommits},
		{"100 records of a version and a case", 100, 1, 1, history.OfVersions},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := t.TempDir()
			for n := range c.records {
				p := planOf("grpc", 20, twelve[:c.versions]...)
				p.step = map[string]float64{twelve[1]: 1.5} // which has one step in each chart of times
				p.detail, p.warnings, p.heading.Kind = true, true, c.kind
				p.heading.Run = p.heading.Run.AddDate(0, 0, n)
				p.cases = nil
				for i := range c.cases {
					p.cases = append(p.cases, fmt.Sprintf("Echo/framework=grpc/transport=h2/codec=protobuf/size=1KiB/conc=%d", i+1))
				}
				p.write(t, dir)
			}
			size, tag := 0, regexp.MustCompile(`<[a-z]`)
			for name, text := range made(t, dir) {
				size += len(text)
				assert.LessOrEqual(t, len(tag.FindAll(text, -1)), mostElements, name)
			}
			t.Logf("%d bytes", size)
			assert.LessOrEqual(t, size, 3<<20)
		})
	}
}
