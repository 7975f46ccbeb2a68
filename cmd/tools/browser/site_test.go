package browser_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// siteOf writes a site of records of two frameworks, of commits and of what is no record.
func siteOf(t *testing.T) (dir string) {
	t.Helper()
	needsBrowser(t) // before anything is built
	records, dir := t.TempDir(), filepath.Join(t.TempDir(), "site")
	for name, text := range map[string]string{
		"grpc":   recordOf("versions\nmodule: google.golang.org/grpc", "20261124T051500Z", "v1.79.0 v1.80.0 v1.81.0 v1.82.0 v1.83.0 v1.84.0", 1.3),
		"other":  recordOf("versions\nmodule: google.golang.org/grpc", "20261125T051500Z", "v1.83.0 v1.84.0", 1),
		"weekly": recordOf("commits", "20261126T051500Z", "0123456789ab ba9876543210", 0.8),
		"broken": "history: 9\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(records, name+".txt"), []byte(text), 0o666))
	}
	command, err := all.command()
	require.NoError(t, err)
	out, err := exec.Command(command, "-site", dir, records, "../../../testdata/results/history").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// recordOf is a record of 12 rounds; the newest version takes factor times the CPU.
func recordOf(kind, run, versions string, factor float64) string {
	list := strings.Fields(versions)
	text := fmt.Sprintf("history: 1\nrun: %s\nkind: %s\ncommit: 0123456789ab\nreference: 0123456789ab\nrounds: 14\nversions: %s\narguments: \"-conc=100\"\n"+
		"# refused v1.0.0: it does not build: undefined: x\ncpu: Test\nkernel: 6.18\ngo: go1.26.8\ngoos: linux\nUnit p50-ns better=lower\n", run, kind, versions)
	r := rand.New(rand.NewPCG(1, 2))
	for round := 1; round <= 12; round++ {
		for _, v := range append([]string{"reference"}, list...) {
			f, framework, allocs := 1.0, "grpc", 91
			if v == list[len(list)-1] {
				f, allocs = factor, 94
			}
			if v == "reference" {
				framework = "tcp"
			}
			text += fmt.Sprintf("version: %s\nround: %d\nprotobuf: of-%s\n", v, round, v)
			for _, conc := range []string{"1", "100"} {
				one := func(x float64) float64 { return math.Round(x * f * (1 + r.NormFloat64()/50)) }
				text += fmt.Sprintf("BenchmarkEcho/framework=%s/transport=h2/codec=protobuf/size=1KiB/conc=%s \t 9 \t 5 ns/op \t %g calls/s \t %g client-cpu-ns/op \t %g server-cpu-ns/op \t %g p50-ns \t %g p99-ns \t %d allocs/op \t 10 conns\n",
					framework, conc, one(40000), one(14500), one(15500), one(1500000), one(4500000), allocs)
			}
			text += "PASS\n# warning: BenchmarkEcho/framework=" + framework + "/transport=h2/codec=protobuf/size=1KiB/conc=1: other processes took 11 % of the CPUs\n"
		}
		text += fmt.Sprintf("# round %d is complete\n", round)
	}
	return text
}

// visit opens another page in the tab.
func (p *tab) visit(path string) {
	p.Helper()
	require.NoError(p, chromedp.Do(p.ctx, chromedp.Navigate("file://"+path)))
}

// look gives the page a size and colours, and what can be opened is closed as at first. It
// is not loaded again: pages of a site have no scripts that would do something then.
func (p *tab) look(width int64, scheme string) {
	p.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, media)
	require.NoError(p, err)
	require.NoError(p, chromedp.Do(p.ctx, chromedp.EmulateViewport(width, 900), chromedp.Evaluate[chromedp.Void](closed)))
}

// closed closes what was closed when the page was loaded.
const closed = `(() => {
	window.first ??= Array.from(document.querySelectorAll("details:not([open])"));
	window.first.forEach((d) => d.open = false);
})()`

// faint are texts whose contrast with what is behind them is below 4.5, and pictures whose
// lines have less than 3.
const faint = `(() => {
	const parse = (c) => (c.match(/[\d.]+/g) || []).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
	const behind = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
	document.querySelectorAll("details").forEach((d) => d.open = true);
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || e.closest("title, desc")) continue;
		const style = getComputedStyle(e), colour = parse(e.closest("svg") ? style.fill : style.color), ratio = contrast(colour, behind(e));
		if (!(ratio >= 4.5)) found.push(walk.currentNode.data.trim().slice(0, 40) + ": " + ratio.toFixed(2));
	}
	for (const line of document.querySelectorAll("svg .m, svg path.s, svg .p")) {
		const ratio = contrast(parse(getComputedStyle(line).stroke), behind(line));
		if (!(ratio >= 3)) found.push(line.getAttribute("class") + ": " + ratio.toFixed(2));
	}
	return [...new Set(found)];
})()`

// nameless are links and pictures that a screen reader has no name for, tables without a
// caption or headings, boxes that scroll and cannot be reached by keyboard, and ids that are
// there twice.
const nameless = `(() => {
	const found = [], ids = new Set();
	for (const a of document.querySelectorAll("a")) if (!(a.textContent.trim() || a.getAttribute("aria-label"))) found.push("link " + a.getAttribute("href"));
	for (const s of document.querySelectorAll("svg")) {
		if (s.getAttribute("role") === "img" ? !(s.querySelector("title")?.textContent && s.querySelector("desc")?.textContent) : !s.getAttribute("aria-label")) found.push("picture");
		if (s.getAttribute("role") === "img" && s.querySelector("a")) found.push("a link in a picture");
	}
	for (const t of document.querySelectorAll("table")) if (!t.caption?.textContent.trim() || !t.querySelector("th[scope=col]") || !t.querySelector("th[scope=row], th[scope=rowgroup]")) found.push("table " + t.caption?.textContent);
	for (const b of document.querySelectorAll(".scroll")) if (b.tabIndex !== 0 || !b.getAttribute("aria-label") || b.getAttribute("role") !== "region") found.push("box");
	for (const e of document.querySelectorAll("[id]")) { if (ids.has(e.id)) found.push("id " + e.id); ids.add(e.id); }
	for (const h of document.querySelectorAll("h1")) if (document.querySelectorAll("h1").length !== 1) found.push("h1 " + h.textContent);
	return found;
})()`

// targets are all links, each a file and a part of it.
const targets = `[...new Set(Array.from(document.querySelectorAll("a")).map((a) => new URL(a.getAttribute("href"), location).href))]`

// Slow: a browser lays out every page.
func TestSite(t *testing.T) {
	t.Parallel()
	list, err := filepath.Glob(filepath.Join(siteOf(t), "*.html"))
	require.NoError(t, err)
	require.Greater(t, len(list), 10)
	const tabs = 2
	for i := range tabs {
		t.Run(fmt.Sprint("tab ", i), func(t *testing.T) {
			t.Parallel()
			p := openSite(t)
			for at := i; at < len(list); at += tabs {
				p.checkPage(list[at])
			}
			assert.Empty(t, p.wrong())
		})
	}
}

// checkPage looks at a page of the site in two sizes and in both colours.
func (p *tab) checkPage(path string) {
	name := strings.TrimSuffix(filepath.Base(path), ".html")
	p.visit(path)
	assert.False(p, eval[bool](p, `!!document.querySelector("script")`), name)
	p.look(1200, "light")
	assert.LessOrEqual(p, eval[int64](p, `document.documentElement.scrollHeight`), int64(6000), "%s: the height, with what is folded", name)
	for _, width := range []int64{1200, 400} {
		for _, scheme := range []string{"light", "dark"} {
			p.look(width, scheme)
			about := fmt.Sprintf("%s, %d pixels, %s", name, width, scheme)
			assert.LessOrEqual(p, eval[int64](p, `document.documentElement.scrollWidth`), width, "%s: wider than the window", about)
			p.shot(fmt.Sprintf("site-%s-%s-%d", name, scheme, width))
			assert.Empty(p, eval[[]string](p, faint), about)
			assert.LessOrEqual(p, eval[int64](p, `document.documentElement.scrollWidth`), width, "%s: wider than the window with all opened", about)
		}
		assert.Empty(p, eval[[]string](p, strings.ReplaceAll(overlaps, "svg text", "svg text:not(.n text)")), "%s, %d pixels: texts on each other", name, width)
	}
	assert.Empty(p, eval[[]string](p, nameless), name)
	for _, target := range eval[[]string](p, targets) {
		assert.NoError(p, reached(target), name)
	}
}

// reached says why a link leads to nothing.
func reached(target string) error {
	file, part, _ := strings.Cut(strings.TrimPrefix(target, "file://"), "#")
	text, err := os.ReadFile(file)
	if err == nil && part != "" && !strings.Contains(string(text), `id="`+part+`"`) {
		err = fmt.Errorf("%s has no %s", file, part)
	}
	return err
}

// openSite opens a tab without a page.
func openSite(t *testing.T) *tab {
	t.Helper()
	empty := filepath.Join(t.TempDir(), "empty.html")
	require.NoError(t, os.WriteFile(empty, []byte("<html data-drawn>"), 0o666))
	p := open(t, empty, 1200, 900, "light")
	_, err := chromedp.Call(p.ctx, network.Enable, network.EnableParams{})
	require.NoError(t, err)
	return p
}

// shot writes a picture of a page of a site, where -pictures asks for it.
func (p *tab) shot(name string) {
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	require.NoError(p, err)
	require.NoError(p, os.MkdirAll(*pictures, 0o777))
	require.NoError(p, os.WriteFile(filepath.Join(*pictures, name+".png"), png, 0o666))
}
