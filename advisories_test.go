package rpcbench_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestAdvisories runs make advisories over a module that calls errors.New, with
// databases of advisories about that and about something else, and with none that it
// reaches: a check that could not be made fails, and says why.
func TestAdvisories(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds govulncheck")
	}
	module := t.TempDir()
	write(t, module, "go.mod", "module example.com/victim\n\ngo 1.26.0\n")
	write(t, module, "main.go", "package main\n\nimport \"errors\"\n\nfunc main() { panic(errors.New(\"\")) }\n")
	for _, c := range []struct {
		about, env string
		fails      bool
		says       string
	}{
		{"an advisory about what is called", "GOVULNDB=file://" + database(t, "New"), true, "GO-2000-0001"},
		{"an advisory about what is not called", "GOVULNDB=file://" + database(t, "Join"), false, "No vulnerabilities found."},
		{"no database", "HTTPS_PROXY=http://" + nobody(t), true, "govulncheck: fetching vulnerabilities: "},
	} {
		t.Run(c.about, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "make", "-s", "advisories", "MODULES="+module)
			cmd.Env = append(os.Environ(), c.env)
			out, err := cmd.CombinedOutput()
			assert.Equal(t, c.fails, err != nil, "%s", out)
			assert.Contains(t, string(out), c.says)
		})
	}
}

// database makes a database with one advisory about a function of package errors.
func database(t *testing.T, function string) (dir string) {
	dir = t.TempDir()
	const when = `"2000-01-01T00:00:00Z"`
	write(t, dir, "index/db.json", `{"modified": `+when+`}`)
	write(t, dir, "index/modules.json", `[{"path": "stdlib", "vulns": [{"id": "GO-2000-0001", "modified": `+when+`}]}]`)
	write(t, dir, "ID/GO-2000-0001.json", `{"schema_version": "1.3.1", "id": "GO-2000-0001", "modified": `+when+`, "published": `+when+`,
		"summary": "made up", "affected": [{"package": {"name": "stdlib", "ecosystem": "Go"},
		"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}],
		"ecosystem_specific": {"imports": [{"path": "errors", "symbols": ["`+function+`"]}]}}]}`)
	return dir
}

func write(t *testing.T, dir, name, text string) {
	file := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
}

// nobody returns an address where nobody listens.
func nobody(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().String()
}
