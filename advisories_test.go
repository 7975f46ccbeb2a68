package rpcbench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAdvisories runs make thorough/advisories over two modules that call errors.New, with
// databases of advisories about that and about something else, and with none that it
// reaches: a check that could not be made fails, and says why. An advisory that an entry
// of codecs lists is known, and after one that is not the other module is checked as well.
// Slow: govulncheck is built, and run four times.
func TestAdvisories(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it builds govulncheck")
	}
	tool := exec.CommandContext(t.Context(), "go", "tool", "-modfile=cmd/tools/go.mod", "-n", "govulncheck")
	out, err := tool.CombinedOutput() // it is built, and so needs no network in the last case
	require.NoError(t, err, "%s", out)
	victim, listing := module(t, "victim", ""), module(t, "listing", `type Advisories struct{ IDs string }

var _ = Advisories{IDs: "GO-1999-0009, GO-2000-0001"}`)
	called := "GOVULNDB=file://" + database(t, "New")
	for _, c := range []struct {
		about, env string
		modules    []string
		fails      bool
		says       []string
	}{
		{"an advisory about what is called", called, []string{victim, listing}, true, []string{victim + ":\n", listing + ":\n", "Vulnerability #1: GO-2000-0001"}},
		{"one that an entry lists", called, []string{listing}, false, []string{"Vulnerability #1: GO-2000-0001"}},
		{"an advisory about what is not called", "GOVULNDB=file://" + database(t, "Join"), []string{victim}, false, []string{"No vulnerabilities found."}},
		{"no database where nobody listens", "HTTPS_PROXY=http://127.0.0.1:1", []string{victim}, true, []string{"govulncheck: fetching vulnerabilities: "}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "make", "-s", "thorough/advisories", "JOBS=1", "MODULES="+strings.Join(c.modules, " "))
			cmd.Env = append(os.Environ(), c.env)
			out, err := cmd.CombinedOutput()
			assert.Equal(t, c.fails, err != nil, "%s", out)
			for _, text := range c.says {
				assert.Contains(t, string(out), text)
			}
		})
	}
}

// module makes a module that calls errors.New, and has more code.
func module(t *testing.T, name, more string) (dir string) {
	dir = t.TempDir()
	write(t, dir, "go.mod", "module example.com/"+name+"\n\ngo 1.26.0\n")
	write(t, dir, "main.go", "package main\n\nimport \"errors\"\n\n"+more+"\n\nfunc main() { panic(errors.New(\"\")) }\n")
	return dir
}

// database makes a database with one advisory about a function of package errors.
func database(t *testing.T, function string) (dir string) {
	dir = t.TempDir()
	const when = `"2000-01-01T00:00:00Z"`
	write(t, dir, "index/db.json", `{"modified": `+when+`}`)
	write(t, dir, "index/modules.json", `[{"path": "stdlib", "vulns": [{"id": "GO-2000-0001", "modified": `+when+`}]}]`)
	write(t, dir, "ID/GO-2000-0001.json", `{"schema_version": "1.3.1", "id": "GO-2000-0001", "modified": `+when+`, "published": `+when+`,
		"summary": "made up", "database_specific": {"url": "https://example.com"}, "affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
		"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
		"ecosystem_specific": {"imports": [{"path": "errors", "symbols": ["`+function+`"]}]}}]}`)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	file := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
}
