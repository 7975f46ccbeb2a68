//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// marks are the lines of -continue.
var marks = regexp.MustCompile(`(?m)^# (goes on with:|turn \d+ of) .*\n`)

// measured are the lines of a file without its marks.
func measured(t *testing.T, dir, file string) string {
	t.Helper()
	return marks.ReplaceAllString(content(t, dir, file), "")
}

// TestRunsThatAreWholeAreNotMadeAgain after an interrupt, and those that are not are made again.
func TestRunsThatAreWholeAreNotMadeAgain(t *testing.T) {
	heedsHangups(t)
	dir := room(t)
	args := []string{"-n=2", "-continue", "f=good", "f=late"}
	r := start(t, dir, args...)
	pid(t, dir)
	r.signal(t, syscall.SIGINT, true)
	r.end()
	equal(t, "what was done", measured(t, dir, "f"), linesOf("good", "A", "B")+linesOf("late", "A"))
	stderr, code := do(t, dir, args...)
	equal(t, "the exit code", code, 0)
	contains(t, stderr, "round 2/2 done, 8 of 8 results")
	all := linesOf("good", "A", "B") + linesOf("late", "A", "B")
	equal(t, "all of it", measured(t, dir, "f"), all+linesOf("late", "A", "B")+linesOf("good", "A", "B"))
	before := content(t, dir, "f")
	stderr, code = do(t, dir, args...)
	equal(t, "the exit code where nothing is left", code, 0)
	contains(t, stderr, "round 2/2 done, 8 of 8 results")
	equal(t, "the file", content(t, dir, "f"), before)
}

// TestARunThatFailedIsMadeAgain and its lines are left out.
func TestARunThatFailedIsMadeAgain(t *testing.T) {
	dir := room(t)
	for range 2 {
		_, code := do(t, dir, "-n=1", "-continue", "f=few", "f=good")
		equal(t, "the exit code", code, 1)
		equal(t, "results of the one that failed", strings.Count(content(t, dir, "f"), "/of=few"), 1)
		equal(t, "of the other", strings.Count(content(t, dir, "f"), "BenchmarkA/of=good"), 1)
		equal(t, "the first line", strings.HasPrefix(content(t, dir, "f"), "# goes on with: "), true)
	}
}

// TestWhatIsNotGoneOnWith has a sentence, and stays as it is.
func TestWhatIsNotGoneOnWith(t *testing.T) {
	dir := room(t)
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("other", linesOf("good", "A", "B"))
	if stderr, code := do(t, dir, "-n=1", "-continue", "f=good", "--", "-a"); code != 0 {
		t.Fatal(stderr)
	}
	for name, c := range map[string]struct {
		args []string
		say  string
	}{
		"a file without marks": {[]string{"-continue", "other=good"}, "other was not made with -continue: give another name, or move it away"},
		"other arguments":      {[]string{"-continue", "f=good", "--", "-b"}, `f has runs with other arguments: it begins with # goes on with: ["-a"], and now it would be # goes on with: ["-b"]`},
		"with -add":            {[]string{"-continue", "-add", "f=good"}, "-add adds other runs to files, and -continue goes on with those in them: give one"},
	} {
		before := content(t, dir, "f")
		stderr, code := do(t, dir, c.args...)
		equal(t, name, code, 2)
		contains(t, stderr, c.say)
		equal(t, "the file", content(t, dir, "f"), before)
	}
	binary, err := os.ReadFile(filepath.Join(dir, "good"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "good")); err != nil {
		t.Fatal(err)
	}
	write("good", string(binary)+"\x00")
	stderr, code := do(t, dir, "-n=2", "-continue", "f=good", "--", "-a")
	equal(t, "another build", code, 2)
	contains(t, stderr, "f has runs of another build of good: the rounds would be of two builds: move the file away to begin anew")
}
