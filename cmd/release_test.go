package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRelease makes a release, pushes it to a repository that stands for
// GitHub's, and imports it from there.
// Slow: it builds what others copy.
func TestRelease(t *testing.T) {
	t.Parallel()
	const version = "v0.98.7"
	f := newForge(t)
	assert.Len(t, f.versions(t), 1, "between releases, too")
	f.refuses(t, "VERSION=: it looks like v0.2.0", "make", "release")
	f.refuses(t, "VERSION=0.98.7: it looks like v0.2.0", "make", "release", "VERSION=0.98.7")
	f.release(t, version)
	f.refuses(t, version+" is tagged already", "make", "release", "VERSION="+version)
	assert.Equal(t, []string{version}, f.versions(t))
	assert.Equal(t, []string{
		"cmd/" + version, "codecs/suite/" + version, "frameworks/suite/" + version, "loadgen/grpcload/" + version, "loadgen/" + version, version,
	}, strings.Fields(f.run(t, f.server, "git", "tag")))
	f.checkFiles(t, version)
	f.checkComponents(t, version)
	t.Run("modules", func(t *testing.T) {
		t.Parallel()
		f.importAll(t, version)
	})
	for _, example := range []string{"loadgen/example", "frameworks/suite/example"} {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			f.runExample(t, example)
		})
	}
	t.Run("codecs/suite/example", func(t *testing.T) {
		t.Parallel()
		f.runSerializers(t)
	})
}

// checkFiles looks at what is for GitHub's release: commands, components and sums.
func (f *forge) checkFiles(t *testing.T, version string) {
	dist := filepath.Join(f.tree, "dist")
	var files []string
	for sum := range strings.Lines(readFile(t, dist+"/SHA256SUMS")) {
		_, file, _ := strings.Cut(strings.TrimSpace(sum), "  ")
		files = append(files, file)
	}
	assert.Len(t, files, 10+5, "commands, and components of modules")
	f.run(t, dist, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
	for _, command := range []string{"benchreport", "grpcload", "load"} {
		assert.Contains(t, files, command+"-"+version+"-linux-amd64")
	}
	assert.Regexp(t, `(?m)^## Unreleased\n\n## `+regexp.QuoteMeta(version)+`, \d{4}-\d\d-\d\d$`, readFile(t, f.tree+"/CHANGELOG.md"))
}

// checkComponents holds the components of the commands against what they require.
func (f *forge) checkComponents(t *testing.T, version string) {
	var bill struct {
		Components []struct {
			Name, Version string
			Evidence      struct {
				Licenses []struct{ License struct{ ID string } }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(readFile(t, f.tree+"/dist/cmd-"+version+".cdx.json")), &bill))
	unknown, required := []string{"std", "github.com/dop251/goja"}, readFile(t, "go.mod")
	for _, c := range bill.Components {
		assert.True(t, c.Name == "std" || strings.Contains(required, c.Name+" "+c.Version+"\n") || strings.Contains(required, c.Name+" "+c.Version+" // indirect"), "%v", c)
		assert.Equal(t, slices.Contains(unknown, c.Name), len(c.Evidence.Licenses) == 0, "licenses of %v", c)
	}
	assert.Greater(t, len(bill.Components), 10)
}

// importAll imports each module and installs commands.
func (f *forge) importAll(t *testing.T, version string) {
	importer := t.TempDir()
	f.run(t, importer, "go", "mod", "init", "example.com/importer")
	for _, module := range []string{"loadgen", "loadgen/grpcload", "frameworks/suite", "codecs/suite"} {
		assert.Equal(t, repo+"/"+module+" "+version, strings.TrimSpace(f.run(t, importer, "go", "list", "-m", repo+"/"+module+"@"+version)))
		f.run(t, importer, "go", "get", repo+"/"+module+"@latest")
		assert.Contains(t, readFile(t, importer+"/go.mod"), repo+"/"+module+" "+version)
	}
	f.run(t, importer, "go", "build", repo+"/loadgen", repo+"/frameworks/suite", repo+"/codecs/suite")
	f.run(t, importer, "go", "get", "-tool", repo+"/loadgen/grpcload/cmd/grpcload@"+version) // its module replaces loadgen, so go install refuses it
	f.run(t, importer, "go", "tool", "grpcload", "-h")
	for _, command := range []string{"cmd/benchreport", "loadgen/cmd/loadmerge", "loadgen/cmd/selftest"} {
		f.run(t, importer, "go", "install", repo+"/"+command+"@"+version)
		assert.FileExists(t, filepath.Join(f.bin, filepath.Base(command)))
	}
}

// runExample runs what others copy, out of the tree.
func (f *forge) runExample(t *testing.T, name string) {
	copied := f.copy(t, name)
	f.run(t, copied, "go", "mod", "tidy")
	f.commit(t, copied)
	f.run(t, copied, "make", "test", "bench", "bench-diff", "bench-count", "BASE=HEAD", "ROUNDS=2", "BENCHTIME=0.1s")
}

// runSerializers runs what others copy to measure serializers, out of the tree.
func (f *forge) runSerializers(t *testing.T) {
	copied := f.copy(t, "codecs/suite/example")
	f.run(t, copied, "go", "mod", "tidy")
	f.run(t, copied, "go", "test", ".")
	lines := f.run(t, copied, "go", "test", "-run=^$", "-bench=Codec", "-benchtime=1x", ".")
	assert.Contains(t, lines, "BenchmarkCodec/codec=json/msg=Order/op=unmarshal")
}

// TestUntilTheFirstRelease does what RELEASES.md says to an importer while there
// is no tag, with copies of the examples' files in modules that do not import
// ours yet.
// Slow: it builds what others copy.
func TestUntilTheFirstRelease(t *testing.T) {
	t.Parallel()
	f := newForge(t)
	f.env = append(f.env, "ROUNDS=1", "BENCHTIME=1x")
	f.run(t, f.dir, "git", "clone", "-q", f.server, "rpcbench")
	for _, c := range []struct{ about, section, example string }{
		{"loadgen requires no other module", "loadgen, codecs/suite and the commands", "loadgen/example"},
		{"the suite requires loadgen", "frameworks/suite", "frameworks/suite/example"},
		{"a clone has all", "A clone beside your module", "frameworks/suite/example"},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			importer := f.copy(t, c.example)
			for _, module := range []string{"loadgen", "frameworks/suite"} {
				f.run(t, importer, "go", "mod", "edit", "-droprequire="+repo+"/"+module)
			}
			for _, command := range commands(t, "### "+c.section) {
				f.run(t, importer, "sh", "-ec", command)
			}
		})
	}
}

// commands are the lines of code in a section of RELEASES.md.
func commands(t *testing.T, heading string) (lines []string) {
	t.Helper()
	_, section, found := strings.Cut(readFile(t, "../RELEASES.md"), "\n"+heading+"\n")
	require.True(t, found, heading)
	section, _, _ = strings.Cut(section, "\n#")
	for line := range strings.Lines(section) {
		if command, is := strings.CutPrefix(line, "    "); is {
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	require.NotEmpty(t, lines, heading)
	return lines
}

// versions are those at which the tree's modules require each other and the
// examples' Makefiles install commands, each once.
func (f *forge) versions(t *testing.T) (list []string) {
	t.Helper()
	pinned := regexp.MustCompile(`(?:` + repo + `/\S+ |RPCBENCH +\?= )(v[0-9]\S*)`)
	for _, file := range strings.Fields(f.run(t, f.tree, "git", "ls-files", "*go.mod", "*example/Makefile")) {
		for _, found := range pinned.FindAllStringSubmatch(readFile(t, filepath.Join(f.tree, file)), -1) {
			list = append(list, found[1])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
