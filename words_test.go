package rpcbench_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// riddles are phrases that readers have to read twice, with what to write instead.
var riddles = []struct {
	phrase  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\bso many\b`), "n, or the name of the parameter"},
	{regexp.MustCompile(`^\s*// \w+ (is|are) (that|those) of\b`), "the noun again, as in: returns the address of a server"},
	{regexp.MustCompile(`\b(that|which) (is|are) none\b`), "what it is, as in: an empty range"},
	{regexp.MustCompile(`\bof no matter\b`), "does not matter"},
	{regexp.MustCompile(`\bPrint(ln)?\((\w+\.(Run\w*|Find)\(|\w+, err\))`), "the result where err is nil: the report would end in <nil>"},
}

// TestWords looks at the comments of Go files, and at Markdown.
func TestWords(t *testing.T) {
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == "bin" || path == "testdata/peers" || d.Name() == ".git"):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".md"):
			checkWords(t, path, func(line string) string { return line })
		case strings.HasSuffix(path, ".go") && path != "words_test.go":
			checkWords(t, path, comment)
		}
		return nil
	}))
}

// checkWords looks for riddles in the text that part leaves of each line.
func checkWords(t *testing.T, path string, part func(line string) string) {
	n := 0
	for line := range strings.Lines(read(t, path)) {
		n++
		for _, r := range riddles {
			assert.NotRegexp(t, r.phrase, part(line), "%s:%d: write %s", path, n, r.instead)
		}
	}
}

// comment returns the comment of a line, with what stands before it if that is blank.
func comment(line string) string {
	before, after, found := strings.Cut(line, "// ")
	switch {
	case !found:
		return ""
	case strings.TrimSpace(before) == "":
		return line
	}
	return after
}
