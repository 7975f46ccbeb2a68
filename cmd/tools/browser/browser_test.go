// Package browser_test opens a report in a real browser. It is no package of module cmd,
// whose importers would take on what drives the browser.
package browser_test

import (
	"context"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var pictures = flag.String("pictures", "", "directory to write pictures of the page into")

// shared is what all tests use: the command, built once, and one browser, in which each
// test has tabs of its own.
type shared struct {
	command func() (path string, err error)
	browser func() (ctx context.Context, err error)

	ctx     context.Context // of the browser
	end     context.CancelFunc
	dir     string          // of the command; "" before it is built
	running context.Context // the browser; nil before it is started
}

var all = share()

func TestMain(m *testing.M) {
	code := m.Run()
	all.close()
	os.Exit(code)
}

// share makes and starts nothing before it is needed.
func share() *shared {
	s := &shared{}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.command, s.browser = sync.OnceValues(s.build), sync.OnceValues(s.start)
	return s
}

func (s *shared) build() (command string, err error) {
	if s.dir, err = os.MkdirTemp("", "browser-test-"); err != nil {
		return "", err
	}
	command = filepath.Join(s.dir, "benchreport")
	out, err := exec.Command("go", "build", "-C", "../../benchreport", "-o", command, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return command, err
}

func (s *shared) start() (context.Context, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(installed()), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, _ := chromedp.NewExecAllocator(s.ctx, options...)
	s.running, _ = chromedp.NewContext(ctx)
	return s.running, chromedp.Do(s.running)
}

// close waits until the browser has ended, which writes files until then.
func (s *shared) close() {
	if s.running != nil {
		_ = chromedp.Cancel(s.running)
	}
	s.end()
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// installed is the first of the names under which Chromium is installed, or nothing.
func installed() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// needsBrowser skips where none is, or where it would take too long. Tests with a browser
// run side by side.
func needsBrowser(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("Chromium takes a quarter of a minute")
	}
	if installed() == "" {
		t.Skip("no Chromium here: nothing can open the page")
	}
}

// report writes a report of the text, by the command itself.
func report(t *testing.T, args ...string) (path string) {
	t.Helper()
	needsBrowser(t)
	command, err := all.command()
	require.NoError(t, err)
	path = filepath.Join(t.TempDir(), "report.html")
	out, err := exec.Command(command, append(args, "-o", path)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// tab is a page in the browser, and what went wrong in it.
type tab struct {
	*testing.T
	ctx context.Context

	mu     sync.Mutex
	errors []string // of the console, and what was fetched
}

func open(t *testing.T, path string, width, height int64, scheme string) *tab {
	t.Helper()
	needsBrowser(t)
	ctx, err := all.browser()
	require.NoError(t, err)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	page := &tab{T: t, ctx: ctx}
	require.NoError(t, chromedp.Listen(ctx, page.listen))
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, err = chromedp.Call(ctx, emulation.SetEmulatedMedia, media)
	require.NoError(t, err)
	_, err = chromedp.Call(ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	page.run(chromedp.EmulateViewport(width, height), chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	return page
}

// drawn waits until all charts are.
var drawn = chromedp.WaitReady(`html[data-drawn]`)

func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		p.errors = append(p.errors, e.Entry.Text)
	case *runtime.EventConsoleAPICalled:
		p.errors = append(p.errors, "console."+string(e.Type))
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file:") {
			p.errors = append(p.errors, "fetched "+e.Request.URL)
		}
	}
}

func (p *tab) run(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	require.NoError(p, chromedp.Do(p.ctx, append(steps, drawn)...))
}

// eval returns the value of an expression.
func eval[V any](p *tab, expression string) V {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[V](expression))
	require.NoError(p, err)
	return v
}

// wrong is what went wrong so far.
func (p *tab) wrong() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.errors
}

// picture writes the whole page as a picture, where -pictures asks for it.
func (p *tab) picture(name string) {
	if *pictures != "" {
		p.shot(name)
		p.run(chromedp.Sleep(time.Second)) // for the page to notice that it has its old size again
	}
}

func sample(t *testing.T) string {
	return report(t, "../../benchreport/testdata/bench.txt", "../../benchreport/testdata/codecs.txt", "-results", "../../benchreport/testdata/records")
}

// axes is a report of every benchmark that has an axis of its own.
func axes(t *testing.T) string {
	return report(t, "../../benchreport/testdata/axes.txt", "../../benchreport/testdata/codecs.txt", "../../benchreport/testdata/anatomy.txt")
}

// many is a report of thirteen frameworks, of which four have the lines of
// others: their figures are closer than any that are measured.
func many(t *testing.T) string {
	text, err := os.ReadFile("../../../testdata/results/echo.txt")
	require.NoError(t, err)
	all := firsts(string(text))
	for line := range strings.Lines(all) {
		for from, to := range map[string]string{"grpc": "dubbo", "kitex": "motan", "rpcx": "thrift", "arpc": "tars"} {
			if strings.HasPrefix(line, "BenchmarkEcho/framework="+from+"/") {
				all += strings.Replace(line, from, to, 1)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "many.txt")
	require.NoError(t, os.WriteFile(file, []byte(all), 0o666))
	return report(t, file, "../../../testdata/results/rate.txt")
}

// firsts leaves out the lines of a framework's other variants, which the kept results
// have beside its first one.
func firsts(text string) (kept string) {
	first := map[string]string{}
	for line := range strings.Lines(text) {
		name, _, result := strings.Cut(line, " ")
		if framework := regexp.MustCompile(`/framework=[^/]+(/transport=(conn|mux)/codec=none)?`).FindString(name); result && framework != "" {
			variant := regexp.MustCompile(`/(size|conc)=[^/]+`).ReplaceAllString(name, "")
			if first[framework] == "" {
				first[framework] = variant
			}
			if variant != first[framework] {
				continue
			}
		}
		kept += line
	}
	return kept
}

// texts are all texts in the charts.
const texts = `Array.from(document.querySelectorAll(".chart svg text")).map((t) => t.textContent)`

func click(framework string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(`input[data-framework="` + framework + `"]`)
}

func containing(list []string, part string) (found []string) {
	for _, text := range list {
		if strings.Contains(text, part) {
			found = append(found, text)
		}
	}
	return found
}

// Slow: a browser lays out every page.
func TestPage(t *testing.T) {
	t.Parallel()
	p := open(t, sample(t), 1280, 900, "light")
	t.Logf("open after %s ms", eval[string](p, `document.documentElement.dataset.ready`))
	p.picture("light-wide")

	charts := eval[[]bool](p, `Array.from(document.querySelectorAll(".chart")).map((c) => c.parentElement.classList.contains("empty") || !!c.querySelector("svg path"))`)
	assert.Len(t, charts, 14, "3 of CPU, throughput, 2 percentiles, 1 at a rate, the achieved rate, curves, 4 operations and bytes")
	assert.NotContains(t, charts, false, "every chart is drawn, or says that it has nothing to show")
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "grpc"))

	p.run(click("grpc"))
	assert.Empty(t, containing(eval[[]string](p, texts), "grpc"), "a framework can be switched off in all charts")
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "kitex"), "and the others stay")
	assert.Empty(t, containing(eval[[]string](p, texts), "tcp"), "raw TCP is off at first")
	p.run(click("kitex"))
	assert.Empty(t, eval[[]string](p, `Array.from(document.querySelectorAll("section:not(#codec) figure:not(.empty)")).map((f) => f.textContent)`), "with none left nothing is shown")
	p.run(click("grpc"), click("kitex"), click("tcp"))
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "grpc"), "and on again")
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "tcp mux"), "with raw TCP")

	p.run(chromedp.Click("#log"))
	assert.Contains(t, eval[[]string](p, `Array.from(document.querySelectorAll("#throughput .chart svg text")).map((t) => t.textContent)`), "0", "and from zero")
	p.picture("light-wide-linear")
	p.run(chromedp.Evaluate[chromedp.Void](`(() => { const s = document.querySelector("#latency select"); s.value = 1; s.dispatchEvent(new Event("change")); })()`))
	assert.NotEmpty(t, eval[[]string](p, `Array.from(document.querySelectorAll("#latency .chart svg text")).map((t) => t.textContent)`), "another panel of a section can be chosen")
	assert.Empty(t, p.wrong())
}

func TestThemes(t *testing.T) {
	t.Parallel()
	p := open(t, sample(t), 1280, 900, "dark")
	p.picture("dark-wide")
	assert.Equal(t, "rgb(13, 17, 23)", eval[string](p, `getComputedStyle(document.body).backgroundColor`), "dark where the system is")
	p.run(chromedp.Click("#dark"))
	assert.Equal(t, "rgb(255, 255, 255)", eval[string](p, `getComputedStyle(document.body).backgroundColor`), "and light by its switch")
	assert.Empty(t, p.wrong())
}

// mix is the report of a record of parts, one of which has the longest name that a part can
// have.
func mix(t *testing.T) string {
	const record = "../../benchreport/testdata/mix.json"
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "mix.json")
	long := strings.Replace(string(text), "GET /users/*", "GET /"+strings.Repeat("x", 251), 1)
	require.NotEqual(t, string(text), long)
	require.NoError(t, os.WriteFile(file, []byte(long), 0o666))
	return report(t, file)
}

// Slow: a browser lays out every page.
func TestNarrow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, path, scheme string }{{"axes", axes(t), "light"}, {"many", many(t), "dark"}, {"codecs", report(t, "../../benchreport/testdata/codecs.txt"), "light"}, {"mix", mix(t), "light"}} {
		p := open(t, c.path, 360, 800, c.scheme)
		p.picture(c.name + "-" + c.scheme + "-narrow")
		assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), 360, "nothing is wider than a phone")
		assert.Empty(t, eval[[]string](p, overlaps), c.name)
		assert.Empty(t, p.wrong())
		assert.NotZero(t, eval[int](p, `document.querySelectorAll(".chart svg").length`), c.name)
		if c.name == "many" {
			assert.Equal(t, "#,framework,codec,both", eval[string](p, columnsInView), "the first screen has the answer")
			assert.True(t, eval[bool](p, `getComputedStyle(document.querySelector("#ranking .scroll"), "::before").content.includes("scroll")`), "and says that there is more of it")
		}
	}
}

// columnsInView are the columns of the first table whose first figures are on the screen.
const columnsInView = `Array.from(document.querySelectorAll("#ranking table")[0].tBodies[0].rows[0].cells).map((c, i) => [c, i])
	.filter(([c]) => c.getBoundingClientRect().right <= innerWidth && c.getBoundingClientRect().bottom <= innerHeight / 2)
	.map(([, i]) => document.querySelectorAll("#ranking thead tr:last-child th")[i].textContent).join()`

// away are names beside a plot that are not within reach of their line's end,
// which a leader of the same colour comes from.
const away = `Array.from(document.querySelectorAll(".chart")).flatMap((chart) => {
	const drawn = echarts.getInstanceByDom(chart);
	if (!drawn || !drawn.getOption().graphic) return [];
	const parts = drawn.getOption().graphic[0].elements, names = parts.filter((e) => e.type === "text"), leaders = parts.filter((e) => e.type === "polyline");
	const lost = names.filter((n, i) => {
		const [begin, , end] = leaders[i].shape.points;
		return n.style.fill !== leaders[i].style.stroke || Math.abs(end[1] - n.y) > 1 || end[0] > n.x || begin[1] < 0;
	});
	const series = drawn.getOption().series;
	return lost.map((n) => n.style.text).concat(names.length === series.length ? [] : ["names are missing"]);
})`

// TestThirteenSeries have names that stay with their lines, and shapes of
// their own.
// Slow: a browser lays out every page.
func TestThirteenSeries(t *testing.T) {
	t.Parallel()
	path := many(t)
	for _, width := range []int64{360, 1280} {
		p := open(t, path, width, 900, "light")
		p.picture(fmt.Sprint("many-light-", width))
		assert.Empty(t, eval[[]string](p, away), "%d pixels wide", width)
		assert.Empty(t, eval[[]string](p, overlaps), "%d pixels wide", width)
		assert.Equal(t, 13, eval[int](p, `new Set(Array.from(document.querySelectorAll("#legend label:not(:has(input[data-framework=tcp])) path")).map((p) => p.getAttribute("d"))).size`))
		assert.Equal(t, 13, eval[int](p, `echarts.getInstanceByDom(document.querySelector("#throughput .chart")).getOption().graphic[0].elements.filter((e) => e.type === "text").length`))
	}
}

// Slow: a browser lays out every page.
func TestEveryBenchmarkHasAChart(t *testing.T) {
	t.Parallel()
	p := open(t, axes(t), 1280, 900, "light")
	p.picture("axes-light-wide")
	for _, c := range []struct{ section, tick, about string }{
		{"size", "64KiB", "sizes by their names"},
		{"anatomy", "scheduler", "names on pieces that have room"},
		{"capacity", "grpc", "a row for each framework"},
		{"load", "% of the capacity", "parts of the capacity"},
		{"bulk", "4MiB", "sizes of transfers"},
		{"stall", "closed", "both loops"},
		{"workload", "cache", "workloads by their names"},
		{"failed", "100 %", "failed calls from zero"},
		{"codec", "gob stream", "serializers"},
	} {
		texts := eval[[]string](p, `Array.from(document.querySelectorAll("#`+c.section+` .chart svg text")).map((t) => t.textContent)`)
		assert.NotEmpty(t, containing(texts, c.tick), "%s: %s", c.section, c.about)
	}
	assert.Equal(t, 1, eval[int](p, `document.querySelectorAll("#doubts").length`), "warnings are summed up")
	assert.Zero(t, eval[int](p, `Array.from(document.querySelectorAll(".chart svg text, td, tbody th")).filter((t) => t.textContent.includes("\u26A0")).length`), "and stand in no row")
	assert.Empty(t, p.wrong())
}

// overlaps are pairs of texts of one chart that lie on each other.
const overlaps = `Array.from(document.querySelectorAll(".chart")).flatMap((chart) => {
	const boxes = Array.from(chart.querySelectorAll("svg text")).map((t) => [t.textContent, t.getBoundingClientRect()]).filter(([, b]) => b.width > 0);
	const slack = 3;
	return boxes.flatMap(([a, p], i) => boxes.slice(i + 1)
		.filter(([, q]) => p.left + slack < q.right && q.left + slack < p.right && p.top + slack < q.bottom && q.top + slack < p.bottom)
		.map(([b]) => a + " on " + b));
})`

// Slow: a browser lays out every page.
func TestTextsDoNotOverlap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		width      int64
	}{{"sample", sample(t), 700}, {"sample", sample(t), 1920}, {"axes", axes(t), 1280}} {
		p := open(t, c.path, c.width, 900, "light")
		assert.Empty(t, eval[[]string](p, overlaps), "%s, %d pixels wide", c.name, c.width)
	}
}

// TestHostileNames opens a report whose every name is an attack.
// Slow: a browser lays out every page.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	const attack = `</script><script>hacked=1</script><img/src=x/onerror=hacked=1>'"{{hacked=1}}`
	attacked := strings.NewReplacer("framework=grpc", "framework="+attack, "size=1KiB", "size="+attack, "AMD EPYC", attack, "v1.85.0", "v1"+attack, "took", attack)
	text, err := os.ReadFile("../../benchreport/testdata/bench.txt")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "bench.txt")
	require.NoError(t, os.WriteFile(file, []byte(attacked.Replace(string(text))), 0o666))

	p := open(t, report(t, file, "-title", attack), 1280, 900, "light")
	p.run(chromedp.MouseClickXY(500, 400)) // on a chart, which has a tooltip then
	assert.Equal(t, "undefined", eval[string](p, `typeof hacked`), "no script of theirs has run")
	assert.Zero(t, eval[int](p, `document.images.length`))
	assert.Empty(t, p.wrong())
}

// TestANameThatAllObjectsHave is shown, switched off and on as any other.
func TestANameThatAllObjectsHave(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.txt")
	text := ""
	for _, conc := range []string{"1", "10", "NaN"} {
		for _, name := range []string{"__proto__", "constructor"} {
			text += "BenchmarkEcho/framework=" + name + "/conc=" + conc + " 1 5 ns/op 7 calls/s\n"
		}
	}
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	p := open(t, report(t, file), 1280, 900, "light")
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "__proto__"))
	p.run(click("__proto__"))
	assert.Empty(t, containing(eval[[]string](p, texts), "__proto__"))
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "constructor"))
	p.run(click("__proto__"))
	assert.NotEmpty(t, containing(eval[[]string](p, texts), "__proto__"))
	assert.True(t, eval[bool](p, `({}).prev === undefined`), "nothing has changed what all objects have")
	assert.Empty(t, p.wrong())
}
