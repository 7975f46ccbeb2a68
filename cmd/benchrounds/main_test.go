package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// played is set in processes that play benchrounds or, by the name they were
// started under, one of the binaries.
const played = "BENCHROUNDS_TEST"

// binaries are the benchmark binaries of the tests, by name. Each has the
// cases A and B.
var binaries = map[string]func(args []string){
	"good": func([]string) { results("A", "B") },
	"also": func([]string) { results("A", "B") },
	"tame": func([]string) { results("A", "B") },
	"anew": func([]string) { results("A", "B"); rebuild() },
	"args": func(args []string) { fmt.Println("args:", args); results("A", "B") },
	"half": half,
	"many": func([]string) { results("A", "B", "C") },
	"few":  func([]string) { results("A"); fmt.Println("BenchmarkB\nBenchmarkB\t--- FAIL: BenchmarkB") },
	"cut":  func([]string) { results("A"); fmt.Print("BenchmarkB \t 100 \t 5 ns/op") },
	"bad":  func([]string) { results("A", "B"); leave(1, "# failed calls: one") },
	"old":  old,
	"flag": func([]string) { leave(2, "flag provided but not defined: -conc\nUsage of flag:\n  -n int") },
	"none": func([]string) {},
	"less": func([]string) { leave(2, "# 0 cases\n# skipped: no protobuf\nrpcbench: nothing is left") },
	"else": func([]string) { leave(2, "# 0 cases\nrpcbench: no such framework: there is x") },
	"fake": func([]string) { leave(2, "rpcbench: -conc=x: must be a number") },
	"asks": func([]string) {
		fmt.Printf("proxy: %q\nindex: %q\ngogc: %q\n", os.Getenv("HTTPS_PROXY"), os.Getenv("GIT_INDEX_FILE"), os.Getenv("GOGC"))
		results("A", "B")
	},
	"told": func([]string) { fmt.Println("rounds: " + os.Getenv("RPCBENCH_ROUNDS")); results("A", "B") },
	"loud": func([]string) { results("A/\x1b[2J", "B"); leave(0, "# failed calls: \x1b[2J\rforged") },
	"rude": func([]string) { leave(2, "rude: \x1b[2J\rforged") },
	"wide": func([]string) { results("B"); wide() },
	"late": late,
	"slow": func([]string) { results("A"); linger() },
	"tidy": func([]string) { results("A"); tidyUp() },
	"deaf": func([]string) { signal.Ignore(os.Interrupt); results("A"); linger() },
}

func TestMain(m *testing.M) {
	if os.Getenv(played) == "" {
		os.Exit(m.Run())
	}
	name := filepath.Base(os.Args[0])
	play, ok := binaries[name]
	switch {
	case !ok:
		patience = time.Second
		main()
	case slices.Contains(os.Args, "-cases") && !slices.Contains([]string{"old", "half", "flag", "none", "less", "else", "fake", "rude"}, name):
		fmt.Println("BenchmarkA\nBenchmarkB")
		fmt.Fprintln(os.Stderr, "# 2 cases, about 3s\n# for less: one")
	default:
		play(os.Args[1:])
	}
	os.Exit(0)
}

// results prints what a benchmark binary prints.
func results(cases ...string) {
	binary := filepath.Base(os.Args[0])
	fmt.Printf("Unit calls/s better=higher\nbinary: %s\n", binary)
	for _, c := range cases {
		fmt.Printf("Benchmark%s/of=%s \t", c, binary)
		fmt.Printf("     100\t         5.5 ns/op\t  7 calls/s\n")
	}
	fmt.Println("PASS")
}

// old is a benchmark binary without package suite.
func old(args []string) {
	if slices.Contains(args, "-cases") {
		leave(2, "flag provided but not defined: -cases\nUsage of old:\n  -n int")
	}
	results("A", "B")
}

// half leaves out B if it is told to, and so do its -cases.
func half(args []string) {
	cases := []string{"A", "B"}
	if slices.Contains(args, "-half") {
		cases = cases[:1]
	}
	if slices.Contains(args, "-cases") {
		fmt.Println("Benchmark" + strings.Join(cases, "\nBenchmark"))
		return
	}
	fmt.Println("args:", args)
	results(cases...)
}

// wide has a figure that differs much in its first run.
func wide() {
	before, _ := os.ReadFile("runs")
	runs := append(before, '.')
	if err := os.WriteFile("runs", runs, 0o600); err != nil {
		leave(3, err.Error())
	}
	value := 5
	if len(before) == 0 {
		value = 50
	}
	fmt.Printf("BenchmarkA \t 100\t %d ns/op\n", value)
}

// late is slow once, and good from then on.
func late([]string) {
	if _, err := os.Stat("late.once"); err == nil {
		results("A", "B")
		return
	}
	if err := os.WriteFile("late.once", nil, 0o600); err != nil {
		leave(3, err.Error())
	}
	results("A")
	linger()
}

// rebuild puts another build in the place of this one.
func rebuild() {
	err := errors.Join(os.Remove(os.Args[0]), os.WriteFile(os.Args[0], []byte("#!/bin/sh\n"), 0o700))
	if err != nil {
		leave(3, err.Error())
	}
}

func leave(code int, words string) {
	fmt.Fprintln(os.Stderr, words)
	os.Exit(code)
}

// tidyUp lingers until it is interrupted, and ends in its own way.
func tidyUp() {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go linger()
	<-interrupts
	fmt.Println("tidied up")
}

// linger is the middle of a benchmark: its name is printed, its result not.
func linger() {
	fmt.Print("BenchmarkB \t")
	if err := os.WriteFile("pid", fmt.Append(nil, os.Getpid()), 0o600); err != nil {
		leave(3, err.Error())
	}
	time.Sleep(time.Minute)
}

// room makes a directory with all binaries in it.
func room(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	for name := range binaries {
		err = errors.Join(err, os.Symlink(self, filepath.Join(dir, name)))
	}
	if err != nil {
		t.Skip("needs symbolic links: ", err)
	}
	return dir
}

// benchrounds is the command, to be run in dir.
func benchrounds(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir, cmd.Env = dir, append(environ.Measured(os.Environ()), played+"=1", "GORACE=atexit_sleep_ms=0")
	return cmd
}

// do runs benchrounds in dir to its end.
func do(t *testing.T, dir string, args ...string) (stderr string, code int) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := benchrounds(t, dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if out.Len() > 0 {
		t.Errorf("on standard output: %s", out.String())
	}
	return errOut.String(), cmd.ProcessState.ExitCode()
}

// content returns the content of a file; "" if it does not exist.
func content(t *testing.T, dir, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is\n%v\nwant\n%v", what, got, want)
	}
}

func TestBadCommandLines(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		say  string
	}{
		{"nothing to run", nil, "no FILE=BINARY given; see -h"},
		{"arguments for nothing", []string{"--", "-test.bench=."}, `"-test.bench=." is not FILE=BINARY; the binaries' arguments come after FILE=BINARY... and --`},
		{"arguments without the dashes", []string{"f=good", "-test.bench=."}, `"-test.bench=." is not FILE=BINARY; the binaries' arguments come after FILE=BINARY... and --`},
		{"a binary without its file", []string{"good"}, `"good" is not FILE=BINARY`},
		{"no file before the =", []string{"=good"}, `"=good" is not FILE=BINARY`},
		{"no binary behind the =", []string{"f="}, `"f=" is not FILE=BINARY`},
		{"a binary for a file twice", []string{"f=good", "f=also", "./f=good"}, "f=good is given twice"},
		{"repeats in a process", []string{"f=good", "--", "-test.count=2"}, "-test.count=2: the rounds are the repeats, each in a process of its own: leave it out"},
		{"repeats as go test has them", []string{"f=good", "--", "-count", "3"}, "-count=3: the rounds are the repeats, each in a process of its own: leave it out"},
		{"no repeats", []string{"f=good", "--", "-test.count=0"}, "-test.count=0: the rounds are the repeats, each in a process of its own: leave it out"},
		{"a profile", []string{"f=good", "--", "-test.cpuprofile=p"}, "-test.cpuprofile=p: each process would write over the file of the one before: for a profile, run the binary itself"},
		{"an argument without its file", []string{"-only=-half", "f=good"}, "-only=-half: must be FILE=ARGUMENT"},
		{"no file before the argument's =", []string{"-only==-half", "f=good"}, "-only==-half: must be FILE=ARGUMENT"},
		{"no argument behind the =", []string{"-only=f=", "f=good"}, "-only=f=: must be FILE=ARGUMENT"},
		{"an argument for a file that is not there", []string{"-only", "h=-c=1", "f=good", "./g=good"}, "-only=h=-c=1: no FILE=BINARY names the file h; the files are f, g"},
		{"an argument for a binary", []string{"-only=good=-half", "f=good"}, "-only=good=-half: no FILE=BINARY names the file good; the files are f"},
		{"repeats of one file's", []string{"-only=g=-test.count=2", "f=good", "g=good"}, "-test.count=2: the rounds are the repeats, each in a process of its own: leave it out"},
		{"a profile of one file's", []string{"-only=g=-client-cpuprofile=p", "f=good", "g=good"}, "-client-cpuprofile=p: each process would write over the file of the one before: for a profile, run the binary itself"},
		{"a directory for the lines", []string{".=good"}, ". is a directory, not a file"},
		{"a mistyped flag", []string{"-turn=3", "f=good"}, "unknown flag -turn; did you mean -turns?"},
		{"a number that is none", []string{"-n=six", "f=good"}, "-n=six: must be a whole number"},
		{"a flag without its value", []string{"-n"}, "-n needs a value: write -n=…"},
		{"no rounds", []string{"-n=0", "f=good"}, "-n=0: must be more than 0"},
		{"too few rounds for an interval", []string{"-n=5", "-within=10", "f=good"}, "-within takes -n=6 or more: fewer rounds have no interval"},
		{"fewer rounds at most than at least", []string{"-n=8", "-within=10", "-most=7", "f=good"}, "-most=7: must be -n=8 or more"},
		{"an interval of less than nothing", []string{"-within=-1", "f=good"}, "-within=-1: must be a percentage above 0"},
		{"fewer than no rounds", []string{"-n=-1", "f=good"}, "-n=-1: must be more than 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			stderr, code := do(t, dir, c.args...)
			equal(t, "the sentence", stderr, "benchrounds: "+c.say+"\n")
			equal(t, "the exit code", code, 2)
			equal(t, "the file", content(t, dir, "f"), "")
		})
	}
}

func TestBinariesThatCannotTellTheirCases(t *testing.T) {
	for _, c := range []struct{ name, binary, say string }{
		{"one that does not know an argument", "flag", "flag does not tell its cases: exit status 2: flag provided but not defined: -conc\n"},
		{"one that selects none", "none", "none has no case: -test.bench may match nothing\n"},
		{"one that selects none, and says why", "less", "less has no case: nothing is left\n"},
		{"several that select none", "else g=less", "none of 2 binaries has a case; else has no case: no such framework: there is x\n"},
		{"one of several that refuses an argument", "else g=fake g=also", "fake does not tell its cases: exit status 2: rpcbench: -conc=x: must be a number\n"},
		{"one that is not there", "nosuch", "nosuch does not tell its cases: exec: \"nosuch\": executable file not found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := room(t)
			if err := os.WriteFile(filepath.Join(dir, "f"), []byte("before\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			stderr, code := do(t, dir, append([]string{"f=good"}, strings.Fields("g="+c.binary)...)...)
			equal(t, "the exit code", code, 2)
			if !strings.HasPrefix(stderr, "benchrounds: "+c.say) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("not one sentence that says %q: %s", c.say, stderr)
			}
			equal(t, "the old file, not moved", content(t, dir, "f"), "before\n")
			equal(t, "the file behind it", content(t, dir, "f.old"), "")
		})
	}
}

// A binary knows no proxy and nothing of a hook, which its file says once and above the
// lines. The command that builds it knows the proxy.
func TestEnvironmentOfBinaries(t *testing.T) {
	dir := room(t)
	builder := "#!/bin/sh\necho \"$HTTPS_PROXY|$GIT_INDEX_FILE|$GOWORK\" >build\n"
	if err := os.WriteFile(filepath.Join(dir, "builder"), []byte(builder), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := benchrounds(t, dir, "-n=2", "-build=./builder", "f=asks")
	cmd.Env = append(cmd.Env, "HTTPS_PROXY=http://secret@127.0.0.1:1", "GIT_INDEX_FILE=.git/index", "GOGC=50", "GOWORK=/a/go.work")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	const note = "# environment: left out GIT_INDEX_FILE, GOWORK, HTTPS_PROXY\n"
	text := content(t, dir, "f")
	if !strings.HasPrefix(text, note+"proxy: \"\"\nindex: \"\"\ngogc: \"50\"\n") || strings.Count(text, note) != 1 {
		t.Errorf("the file is %s", text)
	}
	equal(t, "what builds knows", content(t, dir, "build"), "http://secret@127.0.0.1:1||off\n")
}
