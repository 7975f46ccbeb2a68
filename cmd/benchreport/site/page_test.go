package site

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/internal/scales"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := slower().write(t, dir)
	broken := filepath.Join(dir, "broken.txt")
	require.NoError(t, os.WriteFile(broken, []byte("BenchmarkX 1 1 ns/op\n"), 0o600))
	for _, c := range []struct {
		about         string
		paths         []string
		records, left int
		err           string
	}{
		{"all records of a directory, and what is none", []string{dir}, 1, 1, ""},
		{"a file", []string{file}, 1, 0, ""},
		{"a record that is given twice is one", []string{dir + "/./", file}, 1, 1, ""},
		{"a file that is no record is left out", []string{file, broken}, 1, 1, ""},
		{"without a record there is no site", []string{broken}, 0, 1, ErrNone.Error()},
		{"an empty directory has none", []string{t.TempDir()}, 0, 0, ErrNone.Error()},
		{"a directory that is not there", []string{filepath.Join(dir, "none")}, 0, 0, "no such file or directory"},
	} {
		s, err := Read(c.paths)
		assert.Len(t, s.Records, c.records, c.about)
		assert.Len(t, s.Left, c.left, c.about)
		if c.err == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.ErrorContains(t, err, c.err, c.about)
		}
	}
}

// A site replaces the one before, and nothing else.
func TestWrite(t *testing.T) {
	records, dir := t.TempDir(), filepath.Join(t.TempDir(), "new", "site")
	file := slower().write(t, records)
	write := func(paths ...string) error {
		s, err := Read(paths)
		require.NoError(t, err)
		return Write(dir, s)
	}
	other := planOf("other", 2, "v1.0.0", "v1.1.0")
	other.write(t, records)
	require.NoError(t, write(records))
	page := filepath.Join(dir, "record-other-20261124t051500z.html")
	require.FileExists(t, page)
	own := filepath.Join(dir, "record-own.html")
	require.NoError(t, os.WriteFile(own, []byte("mine"), 0o600))
	require.NoError(t, write(file))
	assert.NoFileExists(t, page, "a page that is no more is removed")
	assert.FileExists(t, own, "and a file of somebody else stays")

	require.NoError(t, write(records))
	require.NoError(t, os.WriteFile(page, []byte("mine now"), 0o600))
	require.NoError(t, write(file))
	assert.FileExists(t, page, "even in the place of a page")
	assert.ErrorIs(t, write(records), errForeign, "which is not overwritten")

	list := filepath.Join(dir, manifest)
	require.NoError(t, os.WriteFile(list, []byte("../../victim.html\n/etc/passwd\nrecord-own.html\n"), 0o600))
	victim := filepath.Join(dir, "..", "..", "victim.html")
	require.NoError(t, os.WriteFile(victim, []byte(madeBy), 0o600))
	require.NoError(t, write(file))
	assert.FileExists(t, victim, "a list that leads elsewhere is not followed")
	assert.FileExists(t, own)
}

// A hundred thousand records of one name each have a page, without a search among all.
func TestSlugs(t *testing.T) {
	s := slugs{}
	assert.Equal(t, "record-a.html", s.page("record", "a"))
	assert.Equal(t, "record-a-2.html", s.page("record", "A"), "no two are the same to any system")
	assert.Equal(t, "record-a-2-2.html", s.page("record", "a 2"))
	assert.Equal(t, "record-a-3.html", s.page("record", "a"))
	assert.Equal(t, "record-"+strings.Repeat("x", 80)+".html", s.page("record", strings.Repeat("x", 3000)))
	scales.Linear(t, 1000, func(n int) {
		s := slugs{}
		for range n {
			s.page("record", "接続")
		}
	})
}

// Ten times as many frameworks, or notes of one, take ten times as long and as much room.
func TestCostOfASite(t *testing.T) {
	const heading = "history: 1\nrun: 20261124T051500Z\nkind: versions\nrounds: 1\nversions: v1.0.0 v1.1.0\nUnit ns/op better=lower\n"
	for about, line := range map[string]string{
		"frameworks": "BenchmarkEcho/framework=f%d 1 5 ns/op 7 calls/s\n",
		"benchmarks": "BenchmarkE%c/framework=f 1 5 ns/op 7 calls/s\n",
		"notes":      "BenchmarkEcho/framework=f 1 5 ns/op\n# warning: BenchmarkEcho/framework=f: of %c\n",
	} {
		sizes := map[int]int{}
		scales.Linear(t, 50, func(n int) {
			text := heading
			for _, v := range []string{"v1.0.0", "v1.1.0"} {
				text += "version: " + v + "\nround: 1\n"
				for i := range n {
					text += fmt.Sprintf(line, 0x4e00+i) // a letter, since numbers of notes are left out
				}
				text += "PASS\n"
			}
			file := filepath.Join(t.TempDir(), "x.txt")
			require.NoError(t, os.WriteFile(file, []byte(text+"# round 1 is complete\n"), 0o600))
			s, err := Read([]string{file})
			require.NoError(t, err, about)
			p, err := pagesOf(s)
			require.NoError(t, err, about)
			sizes[n] = 0
			for _, page := range p {
				sizes[n] += len(page)
			}
		})
		assert.Less(t, sizes[500], 30*sizes[50], about)
	}
}
