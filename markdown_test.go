package rpcbench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// documents are the Markdown files of the repository, without those that a
// command writes from results.
func documents(t *testing.T) []string {
	t.Helper()
	return slices.DeleteFunc(allDocuments(t), func(path string) bool {
		return path == "testdata/results/tables.md" || path == "testdata/results/costs.md"
	})
}

// allDocuments are the Markdown files of the repository.
func allDocuments(t *testing.T) []string {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md").Output()
	require.NoError(t, err)
	paths := strings.Fields(string(list))
	require.NotEmpty(t, paths)
	return paths
}

// line is a line of a Markdown file: of a block of commands, of a block of
// something else, or of text.
type line struct {
	text     string
	language string // of the block that it is in, "" for text, "sh" for commands
}

// linesOf reads a Markdown file. Blocks of commands are indented, or fenced as sh;
// all others are fenced and name their language.
func linesOf(t *testing.T, path string) (lines []line) {
	language, blank := "", true
	for text := range strings.Lines(read(t, path)) {
		text = strings.TrimRight(text, "\n")
		fence, isFence := strings.CutPrefix(text, "```")
		indented := strings.HasPrefix(text, "    ") && language == "" && (blank || lines[len(lines)-1].language == "indented")
		switch {
		case isFence && language != "":
			language = ""
		case isFence:
			assert.NotEmpty(t, fence, "%s: a block needs a language, as in ```text", path)
			language = fence
		case indented:
			lines = append(lines, line{text, "indented"})
		default:
			lines = append(lines, line{text, language})
		}
		blank = text == ""
	}
	for i := range lines {
		if lines[i].language == "indented" {
			lines[i].language = "sh"
		}
	}
	return lines
}

// command is what a reader of a document may copy.
type command struct{ file, text string }

var (
	trailing = regexp.MustCompile(`\s+# .*$`)
	span     = regexp.MustCompile("`([^`]+)`")
	inline   = regexp.MustCompile(`^go (-C \S+ )?(test|run|tool|vet|doc|build) .*\./?`)
)

// commandsOf are the commands of a document: those in its blocks, and those of go
// within its text.
func commandsOf(t *testing.T, path string) (commands []command) {
	joined := ""
	for _, l := range linesOf(t, path) {
		switch text := trailing.ReplaceAllString(strings.TrimSpace(l.text), ""); {
		case l.language == "":
			for _, m := range span.FindAllStringSubmatch(l.text, -1) {
				if inline.MatchString(m[1]) {
					commands = append(commands, command{path, m[1]})
				}
			}
		case l.language != "sh" || text == "" || strings.HasPrefix(text, "#"):
		case strings.HasSuffix(text, `\`):
			joined += strings.TrimSuffix(text, `\`)
		default:
			commands, joined = append(commands, command{path, joined + text}), ""
		}
	}
	return commands
}

// TestDocumentsNameTargetsThatExist reads every make in code of the documents.
func TestDocumentsNameTargetsThatExist(t *testing.T) {
	target := regexp.MustCompile(`^make(?: --?\S+)*((?: [a-z][a-z0-9/-]*)+)`)
	for _, path := range documents(t) {
		makefile := ""
		for _, file := range slices.Concat(glob(t, "Makefile"), glob(t, ".ci/*.mk"), glob(t, "testdata/results/*.mk")) {
			makefile += read(t, file)
		}
		if beside := filepath.Join(filepath.Dir(path), "Makefile"); beside != "Makefile" && exists(beside) {
			makefile = read(t, beside)
		}
		for _, code := range codeOf(t, path) {
			m := target.FindStringSubmatch(code)
			if m == nil {
				continue
			}
			for name := range strings.FieldsSeq(m[1]) {
				of, _, _ := strings.Cut(name, "/") // test/% is a target for each module
				found := regexp.MustCompile(`(?m)^` + name + `:|^` + of + `/%:|^[a-z/ -]*\b` + name + `\b[a-z/ -]*:[^=]`)
				assert.True(t, found.MatchString(makefile), "%s: make %s: there is no such target", path, name)
			}
		}
	}
}

// codeOf are the commands of a document, and all code within its text.
func codeOf(t *testing.T, path string) (code []string) {
	for _, c := range commandsOf(t, path) {
		code = append(code, c.text)
	}
	for _, l := range linesOf(t, path) {
		if l.language == "" {
			for _, m := range span.FindAllStringSubmatch(l.text, -1) {
				code = append(code, m[1])
			}
		}
	}
	return code
}

// TestLinksOfDocumentsResolve follows those to files and to headings.
func TestLinksOfDocumentsResolve(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	for _, path := range documents(t) {
		for _, l := range linesOf(t, path) {
			for _, m := range link.FindAllStringSubmatch(l.text, -1) {
				if to := m[1] + m[2]; l.language == "" && !strings.Contains(to, "://") {
					assert.NoError(t, resolve(t, path, to), "%s: %s", path, to)
				}
			}
		}
	}
}

func resolve(t *testing.T, from, link string) error {
	file, heading, _ := strings.Cut(link, "#")
	path := filepath.Join(filepath.Dir(from), file)
	if file == "" {
		path = from
	}
	if _, err := os.Stat(path); err != nil || heading == "" {
		return err
	}
	assert.True(t, slices.ContainsFunc(linesOf(t, path), func(l line) bool { return anchor(l.text) == heading }), "%s: no heading for %s", from, link)
	return nil
}

// anchor is how GitHub names a heading; "" for other lines.
func anchor(text string) string {
	title, found := strings.CutPrefix(strings.TrimLeft(text, "#"), " ")
	if !found || !strings.HasPrefix(text, "#") {
		return ""
	}
	return strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestProgramsInDocumentsCompile builds every block of Go that is a whole program, in the
// module of its document.
func TestProgramsInDocumentsCompile(t *testing.T) {
	t.Parallel()
	whole, found := regexp.MustCompile("(?s)\n```go\n(package main\n.*?)```"), 0
	for _, path := range documents(t) {
		for _, m := range whole.FindAllStringSubmatch(read(t, path), -1) {
			found++
			file := filepath.Join(t.TempDir(), "main.go")
			require.NoError(t, os.WriteFile(file, []byte(m[1]), 0o600))
			cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", os.DevNull, file)
			cmd.Dir = moduleOf(path)
			out, err := cmd.CombinedOutput()
			assert.NoError(t, err, "%s: %s", path, out)
		}
	}
	assert.Positive(t, found)
}

// moduleOf is the directory of the module that has a file.
func moduleOf(path string) string {
	dir := filepath.Dir(path)
	for dir != "." && !exists(filepath.Join(dir, "go.mod")) {
		dir = filepath.Dir(dir)
	}
	return dir
}
