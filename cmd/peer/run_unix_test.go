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

// tools is a directory with scripts that stand for java, mvn and a test binary.
func tools(t *testing.T, scripts map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
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
		{"the server does not build", javaServer, "#!/bin/sh\nexit 1\n", good, "", nil, 1, "peer: name: build: exit status 1\n"},
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
		cmd := exec.CommandContext(t.Context(), os.Args[0], "name", "dir", "binary", "framework=x")
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
