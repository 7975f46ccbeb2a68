package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLibraryIsUnchanged holds the file to that of the npm package
// echarts@6.1.0; make check-echarts compares both.
func TestLibraryIsUnchanged(t *testing.T) {
	sum := sha256.Sum256([]byte(library))
	assert.Equal(t, "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0", hex.EncodeToString(sum[:]))
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
	for _, tag := range []string{"<script>alert", "<img"} {
		assert.NotContains(t, html.String(), tag)
	}
	require.NoError(t, Markdown(&markdown, attack, hostile(t)))
	assert.NotContains(t, markdown.String(), "<")
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
