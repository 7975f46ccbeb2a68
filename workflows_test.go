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

// TestPartsAreAllOfCI: the jobs of the workflow make the steps of .ci/run, each once, and of
// those that test modules the parts of all.
func TestPartsAreAllOfCI(t *testing.T) {
	all := regexp.MustCompile(`set -- ((?:'make [^']+'[ \\\n\t]*)+)`).FindStringSubmatch(read(t, ".ci/run"))
	require.NotNil(t, all)
	var want, got []string
	for _, step := range steps(all[1]) {
		switch step {
		case "test":
			want = append(want, parts("test", modules(t, "MODULES :="))...)
		case "race":
			want = append(want, parts("race", modules(t, "$(or $(RACED),"))...)
		default:
			want = append(want, strings.Fields(step)...)
		}
	}
	_, matrix, found := strings.Cut(read(t, ".github/workflows/check.yml"), "matrix:")
	require.True(t, found)
	for _, step := range steps(matrix) {
		got = append(got, strings.Fields(step)...)
	}
	assert.ElementsMatch(t, want, got)
}

// TestStepsThatAreNamed run, and one that fails fails all of them.
func TestStepsThatAreNamed(t *testing.T) {
	failing := filepath.Join(t.TempDir(), "failing")
	require.NoError(t, os.WriteFile(failing, []byte("echo 'not equal\n=== CONT  TestX\n--- FAIL: TestX'; exit 1"), 0o600))
	for _, c := range []struct {
		about string
		steps []string
		says  []string
		code  int
	}{
		{"one", []string{"true"}, []string{`(?m)^true +0:0\d +0:00 CPU  ok$`}, 0},
		{"one with a slash", []string{"echo test/."}, []string{`(?m)^test/\.$`, `(?m)^echo test/\. .* ok$`}, 0},
		{"one that fails", []string{"false"}, []string{`(?m)^false +0:0\d +0:00 CPU  FAILED$`}, 1},
		{"one whose test says why it failed", []string{"sh " + failing}, []string{`(?m)^not equal\n--- FAIL: TestX$`}, 1},
		{"more than run at a time", []string{"true", "false", "echo a", "echo b"}, []string{`(?m)^true .* ok$`, `(?m)^false .* FAILED$`, `(?m)^echo a .* ok$`, `(?m)^echo b .* ok$`}, 1},
	} {
		cmd := exec.CommandContext(t.Context(), ".ci/run", c.steps...)
		cmd.Env = append(os.Environ(), "CI=") // installs nothing
		out, _ := cmd.CombinedOutput()        // the code tells
		assert.Equal(t, c.code, cmd.ProcessState.ExitCode(), "%s: %s", c.about, out)
		for _, want := range c.says {
			assert.Regexp(t, want, string(out), c.about)
		}
	}
}

// TestPartsAreAllOfThorough: the jobs of the weekly workflow make all of make thorough.
func TestPartsAreAllOfThorough(t *testing.T) {
	_, matrix, found := strings.Cut(read(t, ".github/workflows/weekly.yml"), "        parts: [")
	require.True(t, found)
	matrix, _, _ = strings.Cut(matrix, "]")
	assert.Equal(t, parts("thorough", modules(t, "$(addprefix thorough/,")), strings.Fields(strings.ReplaceAll(matrix, ",", " ")))
}

// steps are the targets of make in quoted commands.
func steps(text string) (targets []string) {
	for _, quoted := range regexp.MustCompile(`'make ([^']+)'`).FindAllStringSubmatch(text, -1) {
		targets = append(targets, quoted[1])
	}
	return targets
}

// parts are the targets of a target, for each module or other part.
func parts(target string, names []string) (targets []string) {
	for _, m := range names {
		targets = append(targets, target+"/"+m)
	}
	return targets
}

// modules are the words of the Makefile behind a text.
func modules(t *testing.T, begin string) []string {
	_, list, found := strings.Cut(strings.ReplaceAll(read(t, "Makefile"), "\\\n", " "), begin)
	require.True(t, found, begin)
	list, _, _ = strings.Cut(list, "\n")
	list, _, _ = strings.Cut(list, ")")
	return slices.Compact(strings.Fields(list))
}

// TestPartsAreMade: a part that make takes for phony, and that has no recipe of its own, would
// do nothing and pass.
func TestPartsAreMade(t *testing.T) {
	for _, part := range []string{"race/frameworks", "race/loadgen", "test/loadgen", "lint/loadgen", "thorough/advisories/loadgen"} {
		assert.Contains(t, runMake(t, "-n", part), "go ", part)
	}
}

// TestActionsArePinned: a tag of an action can be moved by whoever has its repository, a hash
// cannot. Each action has one hash in all workflows, and nothing may be written by default.
func TestActionsArePinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^\s*-? *uses: *(.*)$`)
	pinned := regexp.MustCompile(`^([a-z-]+/[a-z-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	hashes := map[string]string{}
	for _, file := range glob(t, ".github/workflows/*.yml") {
		text := read(t, file)
		assert.Contains(t, text, "\npermissions:\n  contents: read\n", file)
		for _, found := range uses.FindAllStringSubmatch(text, -1) {
			action := pinned.FindStringSubmatch(found[1])
			if assert.NotNil(t, action, "%s: %s", file, found[1]) {
				assert.Contains(t, []string{"", found[1]}, hashes[action[1]], file)
				hashes[action[1]] = found[1]
			}
		}
	}
	assert.Len(t, hashes, 3)
}

// TestWorkflowOfAReleaseFollowsOneTag: GitHub starts none for more than three tags that are
// pushed at once, so the repository's is pushed alone, after those of the modules.
func TestWorkflowOfAReleaseFollowsOneTag(t *testing.T) {
	assert.Contains(t, read(t, ".github/workflows/release.yml"), "    tags: ['v*']")
	assert.Contains(t, runMake(t, "-n", "release/dist"), "./internal/release  -dist")
	assert.Contains(t, read(t, "cmd/internal/release/main.go"), "&& git push origin %s")
}
