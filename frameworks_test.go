package rpcbench_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

var update = flag.Bool("update", false, "write the tables that TestTablesOfDocuments compares, instead of comparing them")

// TestTablesOfDocuments compares tables that documents have of the code with the code.
func TestTablesOfDocuments(t *testing.T) {
	for _, c := range []struct{ file, name, table string }{
		{"frameworks/README.md", "variants", string(self(t, "-variants"))},
		{"frameworks/READING.md", "units", tableOfUnits()},
		{"loadgen/TRUTH.md", "truth", verdicts(t)},
	} {
		begin, end := "<!-- "+c.name+":begin, by make generate -->\n", "<!-- "+c.name+":end -->\n"
		before, rest, begun := strings.Cut(read(t, c.file), begin)
		old, after, ended := strings.Cut(rest, end)
		require.True(t, begun && ended, "%s: %s%s", c.file, begin, end)
		current := "\n" + c.table + "\n"
		if *update && current != old {
			require.NoError(t, os.WriteFile(c.file, []byte(before+begin+current+end+after), 0o666))
			continue
		}
		assert.Empty(t, firstDifference(current, old), "%s differs: run make generate", c.file)
	}
}

// firstDifference returns the first line that a text has and another has not in this place;
// "" if the texts are equal.
func firstDifference(text, other string) string {
	if text == other {
		return ""
	}
	others := strings.Split(other, "\n")
	for i, line := range strings.Split(text, "\n") {
		if i >= len(others) || others[i] != line {
			return line
		}
	}
	return "the end"
}

// verdicts is who tells the truth, in the kept output of make truth.
func verdicts(t *testing.T) string {
	t.Helper()
	table, _, more := strings.Cut(read(t, "testdata/truth/seed-1.txt"), "\n\nfrozen,")
	require.True(t, more, "the tables of the servers come after that of the verdicts")
	return "```text\n" + table + "\n```\n"
}

// tableOfUnits is what each unit of a line means, in Markdown.
func tableOfUnits() string {
	table := "| unit | meaning | better |\n|---|---|---|\n"
	for _, u := range loadbench.Units() {
		table += "| `" + strings.ReplaceAll(u.Names, ", ", "`, `") + "` | " + u.Meaning + " | " + u.Better + " |\n"
	}
	return table
}

// TestEveryFrameworkIsInItsPlaces: a directory with variants has a bench_test.go, which
// cmd/tools/generate holds to its template, and is in the table or a module of its own.
func TestEveryFrameworkIsInItsPlaces(t *testing.T) {
	for _, file := range append(glob(t, "frameworks/*/*.go"), glob(t, "frameworks/*/frozen/*.go")...) {
		if !strings.Contains(read(t, file), "\nfunc Variants() ") {
			continue
		}
		dir := filepath.Dir(file)
		assert.FileExists(t, dir+"/bench_test.go", "run make generate")
		listed := slices.ContainsFunc(frameworks, func(v framework.Variant) bool { return v.Framework == filepath.Base(dir) })
		if _, err := os.Stat(dir + "/go.mod"); err != nil {
			assert.True(t, listed, "%s: add its Variants() to the table in bench_test.go", dir)
		} else {
			assert.Regexp(t, `\s`+dir+`\s`, read(t, "Makefile"), "add it to MODULES")
		}
	}
}

// TestEveryVariantSaysHowItIsSetUp since configurations are half of a result.
func TestEveryVariantSaysHowItIsSetUp(t *testing.T) {
	for _, v := range frameworks {
		assert.NotEmpty(t, v.About, v.ID())
	}
}
