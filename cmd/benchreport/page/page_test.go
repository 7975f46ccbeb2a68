package page

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inCharts evaluates an expression where charts.js is.
func inCharts(t *testing.T, expression string) any {
	t.Helper()
	d, err := newDrawer()
	require.NoError(t, err)
	v, err := d.vm.RunString(expression)
	require.NoError(t, err)
	return v.Export()
}

// contrast is how far colours are from each other in lightness, from 1 to 21.
const contrast = `const light = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255).map((v) => v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4))
	.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
const contrast = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));`

// TestThirteenFrameworksLookDifferent, to those who see no hues as well.
func TestThirteenFrameworksLookDifferent(t *testing.T) {
	const looks = `["light", "dark"].map((theme) => {
		const names = Array.from({length: 13}, (_, i) => "f" + i), state = {dark: theme === "dark", frameworks: names, ranks: names};
		return names.map((n) => charts.look(n, state));
	}).map((list) => ["shape", "colour"].map((part) => new Set(list.map((l) => l[part])).size).join())`
	assert.Equal(t, []any{"13,13", "13,13"}, inCharts(t, looks), "by shape alone, and by colour alone")
	const faint = `Object.values(charts.themes).flatMap((theme) => {
		` + contrast + `
		return theme.colours.concat(theme.faint).filter((c) => contrast(c, theme.back) < 3);
	})`
	assert.Empty(t, inCharts(t, faint), "colours that do not stand out from their background by 3:1")
}

// TestPiecesLookDifferent: there is a colour for each part and the other parts, those next to
// each other differ in lightness by 2:1 or more, and names on them by 4.5:1.
func TestPiecesLookDifferent(t *testing.T) {
	const count = `Object.values(charts.themes).map((theme) => new Set(theme.pieces).size)`
	parts := int64(len(anatomy.Parts()) + 1)
	assert.Equal(t, []any{parts, parts}, inCharts(t, count))
	const alike = `Object.values(charts.themes).flatMap((theme) => {
		` + contrast + `
		const names = ["#ffffff", "#000000"];
		return theme.pieces.filter((c, i) => contrast(c, names[i % 2]) < 4.5 || i > 0 && contrast(c, theme.pieces[i - 1]) < 2);
	})`
	assert.Empty(t, inCharts(t, alike))
}

func TestNamesStayWithTheirLines(t *testing.T) {
	for _, c := range []struct{ about, places, want string }{
		{"those that have room stay where they are", "[10, 40, 80]", "10,40,80"},
		{"two that meet move by half of what lacks", "[30, 38]", "26,42"},
		{"and a third that they meet then moves with them", "[30, 38, 50]", "23,39,55"},
		{"none leaves the plot above", "[0, 2]", "0,16"},
		{"or below", "[99, 100]", "84,100"},
	} {
		t.Run(c.about, func(t *testing.T) {
			assert.Equal(t, c.want, inCharts(t, "charts.apart("+c.places+", 0, 100).map(Math.round).join()"))
		})
	}
}

const attack = `</script><script>alert(1)</script><img/src=x/onerror=alert(1)>|*_[x](y)`

func hostile(t *testing.T) *figure.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.txt")
	text := "cpu: " + attack + "\n" + attack[2:3] + ": v1" + attack + "\n"
	for _, conc := range []string{"1", "10"} {
		text += "BenchmarkEcho/framework=" + attack + "/size=" + attack + "/conc=" + conc + " 1 5 ns/op 7 calls/s\n"
	}
	text += "# warning: BenchmarkEcho/framework=" + attack + "/size=" + attack + "/conc=1: " + attack + "\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	read, err := lines.Read([]string{file})
	require.NoError(t, err)
	return figure.New(read, nil)
}

func TestHostileNamesAreEscaped(t *testing.T) {
	var html, markdown bytes.Buffer
	require.NoError(t, HTML(&html, attack, hostile(t)))
	ours := strings.ReplaceAll(html.String(), library, "")
	for _, tag := range []string{"<script>alert", "<img", " src="} {
		assert.NotContains(t, ours, tag)
	}
	require.NoError(t, Markdown(&markdown, attack, hostile(t)))
	assert.NotContains(t, strings.ReplaceAll(markdown.String(), "<!-- -->", ""), "<")
	assert.NotContains(t, markdown.String(), "[x](y)")

	dir := t.TempDir()
	require.NoError(t, SVG(dir, hostile(t)))
	files, err := filepath.Glob(filepath.Join(dir, "*.svg"))
	require.NoError(t, err)
	require.Len(t, files, 2, "a name can lead to no other place")
	for _, f := range files {
		svg, err := os.ReadFile(f)
		require.NoError(t, err)
		assert.NotContains(t, string(svg), "<script")
		assert.NotContains(t, string(svg), "<img")
	}
}
