package rpcbench_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/suitetest"
)

// runCommands is quick in make test. All of them are for the weekly workflow.
var runCommands = flag.String("commands", "quick", "which commands of the documents TestCommands runs: quick, or all, in a copy of the tree, 30 minutes")

// way is how a command of a document is run.
type way int

const (
	// binary: this binary stands for go test, which links for long. The cases of a
	// benchmark are listed, and measured if they are few. With -commands=all go
	// test runs it.
	binary way = iota
	// quick: it is run.
	quick
	// weekly: it is run with -commands=all.
	weekly
	// elsewhere: another test runs it.
	elsewhere
)

// rule says how the commands of some documents are run.
type rule struct {
	file, command string // regular expressions of the whole path and command
	way           way
	more          string // quick, weekly: settings that shorten it, behind it
	where, has    string // elsewhere: the file that runs it, and a text of that file
	reason        string
}

// rules has one rule for each command of each document.
func rules() []rule {
	const (
		examples = `(loadgen|frameworks/suite|codecs/suite)/example/README\.md`
		peers    = "it takes what other languages have"
		copied   = "it is for the repository of a reader, with a release"
	)
	return []rule{
		// go, in any document of this module
		{command: `go test .*-bench \S.* \./frameworks/\w+( .*)?`, way: weekly},
		{command: `go test .*-bench \S.* \.( .*)?`, file: `README\.md|(frameworks|testdata/results)/[A-Za-z]+\.md`},
		{command: `go test (\. -args -h|-v \. -args -variants)`},
		{command: `go test -run '?Conformance\S* \..*`, way: weekly},
		{command: `go test -c -o rpcbench\.test \.`, way: weekly},
		{command: `go test -v -timeout=0 \./frameworks/grpc -serve=.*`, way: elsewhere, where: "frameworks/grpc/internal/reflection/reflection_test.go", has: `"-serve="`, reason: "it serves until Ctrl-C"},
		{command: `(ghz|curl) .*`, file: `frameworks/PROTOCOL\.md`, way: elsewhere, where: "frameworks/grpc/internal/reflection/reflection_test.go", has: "FileContainingSymbol", reason: "the programs are of others"},
		{command: `go (vet|test) (-run '?Test\w+'? )?\./frameworks/\w+( && go test \./frameworks/\w+)?`, way: weekly},
		{command: `go tool benchstat .*`, way: weekly},
		{command: `go -C (loadgen|frameworks/(suite|kitex/frozen)) test .*-bench .*`, way: weekly},
		{command: `go -C loadgen run \./cmd/selftest`, way: weekly},
		{command: `go -C frameworks/suite doc .*`, way: quick},
		{command: `cd codecs/adapters && .*go test .*`, way: weekly},

		// make, at the root
		{command: `make help`, file: `CONTRIBUTING\.md`, way: quick},
		{command: `make (bench|bench-codecs|count|footprint)( [A-GI-Z][A-Z]*=.*)?`, file: `README\.md|(frameworks|codecs)/\w+\.md`, way: weekly, more: "ROUNDS=1 BENCHTIME=1x"},
		{command: `make bench-message .*|dir=.*|"\$dir/.*`, file: `frameworks/MESSAGE\.md`, way: elsewhere, where: "cmd/tools/message/main_test.go", has: "TestBuild", reason: "it takes a schema of the reader"},
		{command: `make (bench-diff|bench-count|bench-versions)( .*)?`, file: `README\.md|frameworks/\w+\.md`, way: weekly, more: "ROUNDS=2 BENCHTIME=100x"},
		{command: `make anatomy( .*)?`, file: `frameworks/ANATOMY\.md`, way: weekly, more: "ROUNDS=1 BENCHTIME=0.1s"},
		{command: `bin/benchanatomy .*`, file: `frameworks/ANATOMY\.md`, way: weekly},
		{command: `make report( .*)?`, way: weekly},
		{command: `make truth`, file: `loadgen/TRUTH\.md`, way: elsewhere, where: "cmd/tools/truth/main_test.go", has: "TestTruth", reason: "it takes programs of others"},
		{command: `make results/codecs-hostile`, way: weekly},
		{command: `make results/(runtime|anatomy|cost|layers-(echo|dial)|traffic|zrpc|bulk|network|callers)(/quic-(one|ten)| .*)*`, file: `frameworks/(runtime|layers|traffic|bulk|network|ARTICLE|ANATOMY|COSTS)\.md`, way: weekly, more: "ROUNDS=1 BENCHTIME=1x CALLS=1x FRAMEWORKS=grpc"},
		{command: `make results/article`, file: `frameworks/ARTICLE\.md`, way: weekly, more: "ROUNDS=1 BENCHTIME=100x HISTORY=bin/history ARTICLE='google.golang.org/grpc@v1.39.0 google.golang.org/grpc@v1.85.0'"},
		{command: `make history( .*)?`, file: `(README|frameworks/HISTORY)\.md`, way: weekly, more: "ROUNDS=1 BENCHTIME=100x HISTORY=bin/history VERSIONS='v1.84.0 v1.85.0'"},
		{command: `make site`, file: `frameworks/HISTORY\.md`, way: weekly, more: "SITE=bin/site"},
		{command: `make results/codecs-share`, way: weekly, more: "ROUNDS=1 BENCHTIME=1x"},
		{command: `make soak`, way: weekly, more: `FRAMEWORKS=tcp BENCHTIME=1x measure='make -s bin/tcp.test && bin/tcp.test -test.run=none -cases' rounds=true`},
		{command: `make quick|go run -C cmd \./internal/changed flaky \.\.`, file: `CONTRIBUTING\.md`, way: elsewhere, where: "cmd/internal/changed/changed_test.go", has: "TestFlaky", reason: "it is of what has changed"},
		{command: `make (test|lint|race|check)`, file: `(README|CONTRIBUTING)\.md`, way: elsewhere, where: ".ci/run", has: "make lint", reason: "it is what a change must pass"},
		{command: `make peers( BRPC=/tmp/brpc)?|git clone .*apache/brpc .*`, way: elsewhere, where: ".ci/run", has: "make peers", reason: peers},

		// more machines
		{command: `\./rpcbench\.test -serve .*`, way: weekly, more: "> /dev/null 2>&1 & sleep 2"},
		{command: `\./rpcbench\.test -test.* -rank=0`, way: weekly, more: "-test.benchtime=10x -size=1KiB > /dev/null 2>&1 &"},
		{command: `\./rpcbench\.test -test.* -(clients=2|token-file=token|rank=1)`, way: weekly, more: "-test.benchtime=10x -size=1KiB"},
		{command: `\./rpcbench\.test -test.* -host=\S+,\S+ .*`, way: elsewhere, where: "frameworks/suite/hosts_test.go", has: "TestServersOnTwoHosts", reason: "it takes three machines"},
		{command: `bin/rpcbench\.test -(serve|stay).*|make bench HOSTS=.*|bin/benchrounds -continue .*`, way: elsewhere, where: "frameworks/machines/ranks_test.go", has: "assertRounds", reason: "it takes four machines"},
		{command: `cd frameworks/machines && sbatch .*`, way: elsewhere, where: "frameworks/machines/slurm_linux_test.go", has: `"sbatch", "--wait", "job.sbatch"`, reason: "it takes a Slurm"},

		// what others copy
		{command: `go get github\.com/rpcbench/rpcbench/\S+`, file: `(loadgen/)?README\.md|` + examples, way: elsewhere, where: "cmd/release_test.go", has: `"go", "get"`, reason: copied},
		{command: `go test (-run '\^\$' -(bench|fuzz) .*)?\.( .*)?`, file: `codecs/suite/example/README\.md`, way: elsewhere, where: "cmd/release_test.go", has: `"-bench=Codec"`, reason: copied},
		{command: `make (test|bench)`, file: examples, way: elsewhere, where: "cmd/release_test.go", has: `"test", "bench"`, reason: copied},
		{command: `make (bench-diff|bench-count|bench-versions)( .*)?`, file: examples, way: elsewhere, where: "cmd/release_test.go", has: `"bench-diff"`, reason: copied},
		{command: `.*`, file: `RELEASES\.md`, way: elsewhere, where: "cmd/release_test.go", has: "../RELEASES.md", reason: copied},
		{command: `go (-C loadgen )?run (\.|\./cmd/load|\S+/cmd/load@main) -rate=.*`, file: `(loadgen/(cmd/load/)?)?README\.md`, way: elsewhere, where: "loadgen/cmd/load/main_test.go", has: "TestLoads", reason: "it takes a server of the reader"},
		{command: `(jq '.*|go run \S+/benchreport@main -o report\.html) run\.json`, file: `loadgen/cmd/load/README\.md`, way: elsewhere, where: "cmd/benchreport/main_test.go", has: "testdata/mix.json", reason: "it reads what the command above wrote"},
		{command: `go run \S+/loadmerge@main -require=\S+ -o whole results/12`, way: elsewhere, where: "loadgen/cmd/load/slurm_linux_test.go", has: "cmd/loadmerge", reason: "it merges what a job of Slurm wrote"},
		{command: `go get -tool \S+/grpcload@main`, file: `loadgen/grpcload/README\.md`, way: elsewhere, where: "cmd/release_test.go", has: `"-tool"`, reason: copied},
		{command: `go tool grpcload .*`, file: `loadgen/grpcload/README\.md`, way: elsewhere, where: "loadgen/grpcload/cmd/grpcload/main_test.go", has: "TestReadme", reason: "it takes a server of the reader"},
	}
}

func (r rule) matches(c command) bool {
	return (r.file == "" || whole(r.file).MatchString(c.file)) && whole(r.command).MatchString(c.text)
}

func whole(expression string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + expression + `)$`) }

// documented are all commands of all documents, by rule.
func documented(t *testing.T) (all []command, ruled map[command]rule) {
	ruled = map[command]rule{}
	for _, path := range documents(t) {
		for _, c := range commandsOf(t, path) {
			all = append(all, c)
			for _, r := range rules() {
				if r.matches(c) {
					ruled[c] = r
				}
			}
		}
	}
	return all, ruled
}

// TestEveryCommandHasOneRule, every rule has a command, and what is run elsewhere
// is there.
func TestEveryCommandHasOneRule(t *testing.T) {
	all, _ := documented(t)
	used := make([]int, len(rules()))
	for _, c := range all {
		var by []string
		for i, r := range rules() {
			if r.matches(c) {
				used[i]++
				by = append(by, r.command)
			}
		}
		assert.Len(t, by, 1, "%s: %s\nneeds one rule in commands_test.go, which says how it is tested", c.file, c.text)
	}
	for i, r := range rules() {
		assert.NotZero(t, used[i], "no document has a command %s: its rule in commands_test.go is stale", r.command)
		if r.way == elsewhere {
			assert.Contains(t, read(t, r.where), r.has, "%s: %s", r.where, r.command)
		}
	}
}

// replaced are pairs: what a reader has to fill in, and what would take long, and
// what stands for it in a test.
func replaced(dir string) []string {
	return []string{
		"yours", "netrpc",
		" -db=postgres://USER@HOST/DATABASE", "", // SQLite: TestPostgres has the other
		"10.0.0.2:7000", "127.0.0.1:17000",
		"-token-file=token", "-token-file=" + filepath.Join(dir, "token"),
		"./rpcbench.test -serve", "timeout 60 ./rpcbench.test -serve",
		"BASE=origin/main", "BASE=HEAD",
		"'bench.txt codecs.txt' RECORDS=DIR", "'bench.txt bench.txt' RECORDS=testdata/results/records",
		"-conc=1,10,100,1000,5000", "-conc=1,10", "-conc=10000", "-conc=1000",
		"-bulk=256MiB", "-bulk=1MiB", "-bulk=4MiB,45MiB", "-bulk=64KiB,1MiB",
		"=server.pprof", "=" + filepath.Join(dir, "server.pprof"), "=client.pprof", "=" + filepath.Join(dir, "client.pprof"),
	}
}

var (
	benchtime = regexp.MustCompile(`benchtime=\S+`)
	count     = regexp.MustCompile(`-count=\d+`)
)

// short is a command that measures nothing twice, nor for long.
func short(c command, r rule, dir string) string {
	text := strings.NewReplacer(replaced(dir)...).Replace(c.text)
	text = count.ReplaceAllString(benchtime.ReplaceAllString(text, "benchtime=1x"), "-count=1")
	if strings.Contains(text, "go test") && strings.Contains(text, "-bench ") {
		text = strings.Replace(text, "go test", "go test -run=none -benchtime=1x", 1) // later ones count
	}
	return strings.TrimSpace(text + " " + r.more)
}

// TestReplacementsAreNeeded by a document.
func TestReplacementsAreNeeded(t *testing.T) {
	all, _ := documented(t)
	var texts strings.Builder
	for _, c := range all {
		texts.WriteString(c.text + "\n")
	}
	pairs := replaced(t.TempDir())
	for i := 0; i < len(pairs); i += 2 {
		assert.Contains(t, texts.String(), pairs[i], "what replaces it in commands_test.go is stale")
	}
}

// TestCommands runs commands of the documents.
// Slow: a short form of every command is run.
func TestCommands(t *testing.T) {
	t.Parallel()
	require.Contains(t, []string{"quick", "all"}, *runCommands)
	all, ruled := documented(t)
	here := place{".", aServer(t), t.TempDir()}
	away := here
	if *runCommands == "all" {
		away.root = copyOfTree(t)
	}
	for _, c := range all {
		r := ruled[c]
		t.Run(strings.ReplaceAll(c.file+": "+c.text, "/", "|"), func(t *testing.T) {
			if *runCommands != "all" { // one of all may read what the one before has written
				t.Parallel()
			}
			switch {
			case *runCommands == "all" && r.way != elsewhere:
				away.run(t, c, r)
			case r.way == binary:
				here.byBinary(t, c, r)
			case r.way == quick:
				here.run(t, c, r)
			}
		})
	}
}

// place is where commands are run.
type place struct {
	root   string
	server string // host:port of a server of grpc
	output string // a directory for what they write
}

// run has a shell run a command.
func (p place) run(t *testing.T, c command, r rule) {
	text := p.filled(t, short(c, r, p.output))
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", text)
	cmd.Dir = p.root
	if strings.Contains(c.file, "example/") {
		cmd.Dir = filepath.Join(p.root, filepath.Dir(c.file))
	}
	started := time.Now()
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s\n%s", text, tail(out))
	t.Logf("%s: %.1fs", text, time.Since(started).Seconds())
}

// few is how many cases are measured at once, without -commands=all.
const few = 9

// byBinary runs a command that needs nothing but this binary.
func (p place) byBinary(t *testing.T, c command, r rule) {
	alone, _, _ := strings.Cut(p.filled(t, short(c, r, p.output)), " | ")
	args := testFlags(t, alone)
	if !strings.Contains(c.text, "-bench") {
		self(t, args...)
		return
	}
	cases := strings.Fields(string(self(t, append(args, "-cases")...)))
	assert.NotEmpty(t, cases)
	if len(cases) <= few {
		assert.Contains(t, string(self(t, args...)), "Benchmark")
	}
}

// filled puts a server where a command names one of the reader's.
func (p place) filled(t *testing.T, text string) string {
	if strings.Contains(text, "-url=http://127.0.0.1:8080/") {
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		t.Cleanup(server.Close)
		text = strings.Replace(text, "http://127.0.0.1:8080/", server.URL, 1)
	}
	return regexp.MustCompile(`(-server=[^@ ]+@)\S+`).ReplaceAllString(text, "${1}"+p.server)
}

// aServer starts one of grpc, for -server.
func aServer(t *testing.T) string {
	return suitetest.Start(t, "framework=grpc/transport=h2/codec=protobuf").Addr
}

// testFlags are the flags that go test would give to this binary.
func testFlags(t *testing.T, text string) (flags []string) {
	words := words(text)
	require.Equal(t, []string{"go", "test"}, words[:2], text)
	ours := false // what follows -args
	for _, w := range words[2:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(w, "-"), "=")
		switch {
		case w == ".":
		case strings.HasPrefix(w, "./frameworks/"): // this binary has it, too
			flags = append(flags, "-framework="+filepath.Base(w))
		case w == "-args":
			ours = true
		case !strings.HasPrefix(w, "-"): // the value of the flag before it
			flags[len(flags)-1] += "=" + w
		case !ours && flag.Lookup("test."+name) != nil:
			flags = append(flags, "-test."+w[1:])
		default:
			flags = append(flags, w)
		}
	}
	return flags
}

// words splits a command as a shell does that knows single quotes alone.
func words(text string) (words []string) {
	for i, part := range strings.Split(text, "'") {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else {
			words = append(words, part)
		}
	}
	return words
}

// copyOfTree is a repository of the files as they are, which commands may change.
func copyOfTree(t *testing.T) string {
	dir := t.TempDir()
	script := `unset $(git rev-parse --local-env-vars) && git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$0" &&
		cd "$0" && git init -q && git add -A && git -c user.name=test -c user.email=test@example.com commit -q -m test`
	out, err := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script, dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return dir
}

// A hook that runs these tests has a copy of the tree be one, and its own repository left
// as it is.
func TestCopyOfTreeInAHook(t *testing.T) {
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	assert.DirExists(t, filepath.Join(copyOfTree(t), ".git"))
}

// tail is the end of a long output.
func tail(out []byte) []byte {
	const most = 4 << 10
	return out[max(0, len(out)-most):]
}
