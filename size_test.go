package rpcbench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
		about                 string
		files                 []string // patterns
		lines, columns, words int      // 0 is any number
	}{
		{"the Makefile is an index of what can be done", []string{"Makefile"}, 240, 120, 0},
		{"what makes the results is read by who measures them anew", []string{"testdata/results/results.mk"}, 55, 120, 0},
		{"scripts start programs, and programs have tests", []string{"Makefile", ".ci/[a-z]*"}, 343, 120, 0},
		{"the README is read to its end", []string{"README.md"}, 120, 0, 700},
	} {
		t.Run(c.about, func(t *testing.T) {
			lines, columns, words := sizes(t, c.files)
			for _, s := range []struct {
				what      string
				size, max int
			}{{"lines", lines, c.lines}, {"columns", columns, c.columns}, {"words", words, c.words}} {
				if s.max > 0 {
					assert.LessOrEqual(t, s.size, s.max, "%s of %v", s.what, c.files)
				}
			}
		})
	}
}

// sizes are the lines of all files together, their words as wc counts them, and
// the columns of the longest line, with tabs of eight.
func sizes(t *testing.T, patterns []string) (lines, columns, words int) {
	t.Helper()
	for _, pattern := range patterns {
		for _, file := range glob(t, pattern) {
			text := read(t, file)
			words += len(strings.Fields(text))
			for line := range strings.Lines(text) {
				lines++
				columns = max(columns, utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "        ")))
			}
		}
	}
	return lines, columns, words
}

// TestProse holds all documents together to what one reader can read. Tables, code and
// generated parts are not prose: nobody reads them from end to end.
func TestProse(t *testing.T) {
	words := 0
	for _, path := range allDocuments(t) {
		words += prose(read(t, path))
	}
	assert.LessOrEqual(t, words, 20_000, "words of prose in all documents")
}

// prose counts the words of a document.
func prose(text string) (words int) {
	begin, end := regexp.MustCompile(`^<!-- \w+:begin`), regexp.MustCompile(`^<!-- \w+:end`)
	fenced, generated := false, false
	for line := range strings.Lines(text) {
		fence := strings.HasPrefix(line, "```")
		fenced = fenced != fence
		generated = generated && !end.MatchString(line) || begin.MatchString(line)
		table := strings.HasPrefix(strings.TrimLeft(line, " "), "|")
		if !fence && !fenced && !generated && !table && !end.MatchString(line) && !strings.HasPrefix(line, "    ") {
			words += len(strings.Fields(line))
		}
	}
	return words
}

// TestProseLeavesOut what is looked up.
func TestProseLeavesOut(t *testing.T) {
	for _, c := range []struct {
		about, text string
		words       int
	}{
		{"headings and lists are prose", "# One two\n\n- three\n", 5},
		{"a table is not", "a\n| b | c |\n  | d |\n", 1},
		{"nor indented code", "a\n\n    go test\n", 1},
		{"nor fenced code", "a\n```sh\ngo test\n```\nb\n", 2},
		{"nor what is generated, with code in it", "a\n<!-- table:begin X -->\nb\n```text\nc\n```\nd\n<!-- table:end -->\ne\n", 2},
		{"another comment is", "<!-- Made by hand -->\n", 5},
	} {
		assert.Equal(t, c.words, prose(c.text), c.about)
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

// TestHelpFitsATerminal of 80 columns and 25 lines, in groups in the order of their use.
func TestHelpFitsATerminal(t *testing.T) {
	help := runMake(t, "help")
	assert.LessOrEqual(t, strings.Count(help, "\n"), 25)
	for line := range strings.Lines(help) {
		assert.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, line)
	}
	var groups []string
	for line := range strings.Lines(help) {
		if group, _, _ := strings.Cut(line, " "); group != "" {
			groups = append(groups, group)
		}
	}
	assert.Equal(t, []string{"measure", "compare", "work", "publish", "A"}, groups, "the last line is about parts")
}

// runMake returns what make prints, without the settings of one that runs the tests.
func runMake(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "make", args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	require.NoError(t, err)
	return string(out)
}
