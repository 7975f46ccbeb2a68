//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// javaServer stands for a JVM: a server that ends with its input.
const javaServer = `#!/bin/sh
echo "ready $3"
cat >/dev/null
`

// tools is a directory with scripts that stand for java, mvn and a test binary, and with a
// Maven project.
func tools(t *testing.T, scripts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	scripts["pom.xml"] = "<project/>"
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// proxy is one that Maven takes, and that nothing measured does.
const proxy = "http://127.0.0.1:1"

func runPeer(t *testing.T, dir string, stdout *os.File, out string) (said string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-o", out, "name", dir, filepath.Join(dir, "binary"), "framework=x")
	cmd.Env = append(environ.Measured(os.Environ()), played+"=1", "HTTPS_PROXY="+proxy, "PATH="+dir+":/usr/bin:/bin")
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	if stdout != nil {
		cmd.Stdout = stdout
	}
	_ = cmd.Run()
	return text.String(), cmd.ProcessState.ExitCode()
}

// A server that is wrong, a benchmark that fails and lines that are lost are failures.
func TestRun(t *testing.T) {
	const good = "#!/bin/sh\necho lines$HTTPS_PROXY of \"$1\"\n"
	failing := func(at string) string { return good + "case \"$1\" in *" + at + "*) exit 1;; esac\n" }
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("needs /dev/full: ", err)
	}
	for _, c := range []struct {
		about       string
		java, mvn   string
		binary, out string
		stdout      *os.File
		code        int
		say         string
	}{
		{"all goes well, and only Maven has a proxy", strings.Replace(javaServer, "ready ", "ready $HTTPS_PROXY", 1), "#!/bin/sh\ntest $HTTPS_PROXY = " + proxy + "\n", good, "", nil, 0, "# conformance: peer=name\nlines of -test.run=^TestConformance$\n# environment: left out HTTPS_PROXY\nlines of -test.run=^$\n"},
		{"the server does not build", javaServer, "#!/bin/sh\nexit 1\n", good, "", nil, 1, "peer: name: build: mvn: exit status 1\n"},
		{"Maven cannot have its packages", javaServer, "#!/bin/sh\necho '[ERROR] Could not transfer artifact x' >&2\nexit 1\n", good, "", nil, 0, "# skipped: peer=name: its packages cannot be had: Could not transfer artifact x\n"},
		{"the server does not start", "#!/bin/sh\nexit 1\n", "#!/bin/sh\n", good, "", nil, 1, "it ended before it was ready"},
		{"the server is wrong", javaServer, "#!/bin/sh\n", failing("Conformance"), "", nil, 1, "-server=framework=x@127.0.0.1:"},
		{"a benchmark fails", javaServer, "#!/bin/sh\n", failing("'^$'"), "", nil, 1, "-test.bench=^Benchmark(Echo|Message)$ -peer=name"},
		{"another build than the one that was proved is not measured", javaServer, "#!/bin/sh\n", good + "cp \"$0\" \"$0.new\"; mv \"$0.new\" \"$0\"\n", "", nil, 1, "/binary was built again during the run: the benchmarks would be of another build; run again\n"},
		{"a full disk keeps no lines", javaServer, "#!/bin/sh\n", good, "/dev/full", nil, 1, "no space left on device\n"},
		{"nor does standard output", javaServer, "#!/bin/sh\n", good, "", full, 1, "peer: name: write /dev/stdout: no space left on device\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := tools(t, map[string]string{"java": c.java, "mvn": c.mvn, "binary": c.binary})
			if said, code := runPeer(t, dir, c.stdout, c.out); code != c.code || !strings.Contains(said, c.say) {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.say, said)
			}
		})
	}
	t.Run("a skip that nobody reads", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "name", tools(t, map[string]string{}), "binary", "framework=x")
		cmd.Env, cmd.Stdout = append(os.Environ(), played+"=1", "PATH="), full
		if err := cmd.Run(); cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("it ends with %v, want 1", err)
		}
	})
}

// All signals end it, the server and the binary.
func TestSignals(t *testing.T) {
	heedsHangups(t)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := tools(t, map[string]string{"java": javaServer, "mvn": "#!/bin/sh\n", "binary": "#!/bin/sh\nkill -" + map[syscall.Signal]string{1: "HUP", 2: "INT", 15: "TERM"}[signal] + " $PPID\nexec sleep 60\n"})
			if said, code := runPeer(t, dir, nil, ""); code != 1 || !strings.Contains(said, "signal: killed") {
				t.Errorf("exit code %d: %s", code, said)
			}
		})
	}
}

// heedsHangups has SIGHUP end what the test starts, also if the tests run under
// nohup: a process inherits what is ignored, and not what is handled.
func heedsHangups(t *testing.T) {
	t.Helper()
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(c) })
}

// TestLanguages: each has tools, a way to get what its server takes, and a way to start it.
// What cannot be had leaves its server out, and those of others run.
func TestLanguages(t *testing.T) {
	heedsHangups(t)
	const (
		server = "#!/bin/sh\nfor last; do :; done\necho \"ready $last\"\ncat >/dev/null\n"
		binary = "#!/bin/sh\necho \"lines of $1 $NODE_PATH\"\n"
		npm    = "#!/bin/sh\ntest -f target/package.json && test \"$1 $2\" = 'install --prefix=target'\n"
		venv   = "#!/bin/sh\nmkdir -p $3/bin && ln -s ../../pip $3/bin/pip && ln -s ../../server $3/bin/python\n"
		ran    = "# conformance: peer=name\nlines of -test.run=^TestConformance$ \nlines of -test.run=^$ \n"
	)
	for _, c := range []struct {
		about string
		files map[string]string
		say   string
		code  int
	}{
		{"JavaScript", map[string]string{"package.json": "{}", "npm": npm, "node": server}, ran, 0},
		{"JavaScript whose packages npm cannot have", map[string]string{"package.json": "{}", "npm": "#!/bin/sh\necho no route >&2\nexit 1\n", "node": server}, "# skipped: peer=name: its packages cannot be had: npm: exit status 1 no route\n", 0},
		{"Python", map[string]string{"requirements.txt": "", "python3": venv, "pip": "#!/bin/sh\ntest \"$1\" = install\n", "server": server}, ran, 0},
		{"Python whose packages pip cannot have", map[string]string{"requirements.txt": "", "python3": venv, "pip": "#!/bin/sh\nexit 3\n", "server": server}, "# skipped: peer=name: its packages cannot be had: target/bin/pip: exit status 3\n", 0},
		{"a server that does not start", map[string]string{"package.json": "{}", "npm": npm, "node": "#!/bin/sh\nexit 1\n"}, "peer: name: ", 1},
		{"none that is known", map[string]string{"main.rs": ""}, "has none of pom.xml, package.json, requirements.txt, Cargo.toml and CMakeLists.txt: ", 1},
	} {
		t.Run(c.about, func(t *testing.T) {
			c.files["binary"] = binary
			dir := tools(t, c.files)
			if err := os.Remove(filepath.Join(dir, "pom.xml")); err != nil {
				t.Fatal(err)
			}
			if said, code := runPeer(t, dir, nil, ""); code != c.code || !strings.Contains(strings.ReplaceAll(said, "# environment: left out HTTPS_PROXY\n", ""), c.say) {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.say, said)
			}
		})
	}
}

// TestTables: each line is a peer, with its own flags and those of all. What fails or cannot
// be had keeps no other from its turn.
func TestTables(t *testing.T) {
	dir := tools(t, map[string]string{"java": javaServer, "mvn": "#!/bin/sh\necho built >>built\n", "good": "#!/bin/sh\necho \"good $*\"\n", "bad": "#!/bin/sh\nexit 1\n"})
	for _, c := range []struct {
		about, table, say string
		code, builds      int
	}{
		{"one after the other, in one build", "# a comment\n\none DIR DIR/good framework=x -own\ntwo DIR DIR/good framework=y\n", "-own -all\n# conformance: peer=two\n", 0, 1},
		{"the second runs although the first fails", "one DIR DIR/bad framework=x\ntwo DIR DIR/good framework=y\n", "# conformance: peer=two\n", 1, 1},
		{"a directory that is not there", "one DIR/none DIR/good framework=x\ntwo DIR DIR/good framework=y\n", "# conformance: peer=two\n", 1, 1},
		{"a line is too short", "one DIR DIR/good framework=x\ntwo DIR\n", "line 2: NAME DIRECTORY BINARY VARIANT are needed", 2, 0},
		{"nothing is in it", "# a comment\n", "there is no peer in it", 2, 0},
	} {
		t.Run(c.about, func(t *testing.T) {
			os.Remove(filepath.Join(dir, "built"))
			table := filepath.Join(t.TempDir(), "table")
			if err := os.WriteFile(table, []byte(strings.ReplaceAll(c.table, "DIR", dir)), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-table="+table, "--", "-all")
			cmd.Env = append(environ.Measured(os.Environ()), played+"=1", "PATH="+dir+":/usr/bin:/bin")
			out, _ := cmd.CombinedOutput() // the code tells
			if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.say) {
				t.Errorf("exit code %d, want %d and %q: %s", code, c.code, c.say, out)
			}
			if built, _ := os.ReadFile(filepath.Join(dir, "built")); strings.Count(string(built), "built") != c.builds {
				t.Errorf("it was built %d times, want %d", strings.Count(string(built), "built"), c.builds)
			}
		})
	}
}
