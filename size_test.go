package rpcbench_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSizes holds what people read from end to end to a size at which they do.
// What a change adds, it deletes elsewhere, or moves to where fewer read it.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		about          string
		files          string // a pattern
		lines, columns int
		words          int // 0 is any number
	}{
		{"the Makefile is an index of what can be done", "Makefile", 280, 120, 0},
	} {
		t.Run(c.files, func(t *testing.T) {
			lines, words := 0, 0
			for _, file := range glob(t, c.files) {
				text := read(t, file)
				lines += strings.Count(text, "\n")
				words += len(strings.Fields(text))
				for i, line := range strings.Split(text, "\n") {
					width := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "        "))
					assert.LessOrEqual(t, width, c.columns, "columns of %s:%d", file, i+1)
				}
			}
			assert.LessOrEqual(t, lines, c.lines, "lines: %s", c.about)
			if c.words > 0 {
				assert.LessOrEqual(t, words, c.words, "words: %s", c.about)
			}
		})
	}
}

// glob lists the files of a pattern, of which there are some.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}
