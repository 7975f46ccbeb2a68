package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/internal/command"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// TestMain runs load if the process was started for that.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "load" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestTree has Go run these tests again when a file of the repository has changed: they
// read what Go does not see. make sets the variable.
func TestTree(*testing.T) { _ = os.Getenv("RPCBENCH_TREE") }

// process is load in a process of its own.
func process(t *testing.T, args ...string) (load *exec.Cmd, stdout, stderr *strings.Builder) {
	self, err := os.Executable()
	require.NoError(t, err)
	load = exec.CommandContext(t.Context(), self, args...)
	stdout, stderr = new(strings.Builder), new(strings.Builder)
	load.Args[0], load.Stdout, load.Stderr = "load", stdout, stderr
	return load, stdout, stderr
}

// run runs load in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	var out, err strings.Builder
	code = command.Run(t.Context(), new(protocol), args, &out, &err)
	return code, out.String(), err.String()
}

// serve starts a server for the test.
func serve(t *testing.T, handle http.HandlerFunc) (url string) {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

func TestCommandLines(t *testing.T) {
	dir := t.TempDir()
	targets, noCertificate := filepath.Join(dir, "targets"), filepath.Join(dir, "ca.pem")
	require.NoError(t, os.WriteFile(targets, []byte("GET http://127.0.0.1:1/\n\nGET /a\n"), 0o666))
	require.NoError(t, os.WriteFile(noCertificate, []byte("hello"), 0o666))
	for _, c := range []struct {
		about string
		args  []string
		say   string
	}{
		{"no URL", nil, "one URL is needed, or -targets=FILE, and 0 are given"},
		{"two", []string{"http://a", "http://b"}, "one URL is needed, or -targets=FILE, and 2 are given"},
		{"one without a scheme", []string{"localhost:8080"}, `the URL "localhost:8080" has no scheme: it must be as in http://localhost:8080`},
		{"a bad line of a file", []string{"-targets=" + targets}, targets + `:3: the URL "/a" has no scheme: it must be as in http:///a`},
		{"a file that is not there", []string{"-targets=" + dir + "/gone"}, "targets: open " + dir + "/gone: no such file or directory"},
		{"targets and a URL", []string{"-targets=" + targets, "http://a"}, "-targets has the URLs: give none beside it"},
		{"targets and a body", []string{"-targets=" + targets, "-body=x"}, "-method and -body are of a URL, and -targets has its own"},
		{"a body that is not there", []string{"-body=@" + dir + "/gone", "http://a"}, "-body: open " + dir + "/gone: no such file or directory"},
		{"a method", []string{"-method=G T", "http://a"}, `"G T" is not a method`},
		{"a header", []string{"-header=x", "http://a"}, "-header=x: must be as in Accept: text/plain"},
		{"a value of a header", []string{"-header=x: \x01", "http://a"}, `Header: the header X has a value with control characters: \x01`},
		{"a version", []string{"-http=3", "http://a"}, "-http=3: must be 1 or 2"},
		{"connections of HTTP/1.1", []string{"-conns=3", "http://a"}, "-conns=3: must be more than 0, and is of -http=2"},
		{"a condition on the only endpoint", []string{"-require=errors{GET /a}=0", "http://a/a"}, `-require: condition "errors{GET /a}=0" is of one endpoint of several, and GET /a alone is called: leave {GET /a} out`},
		{"a status", []string{"-status=2xx,ok", "http://a"}, `-status=2xx,ok: "ok" is not a status, as in 200 or 2xx`},
		{"a status that there is not", []string{"-status=600", "http://a"}, `-status=600: "600" is not a status, as in 200 or 2xx`},
		{"an authority that is not there", []string{"-ca=" + dir + "/gone", "https://a"}, "-ca: open " + dir + "/gone: no such file or directory"},
		{"an authority that is none", []string{"-ca=" + noCertificate, "https://a"}, "-ca: " + noCertificate + " has no certificate in PEM"},
	} {
		code, stdout, stderr := run(t, append([]string{"-rate=5"}, c.args...)...)
		assert.Equal(t, 2, code, c.about)
		assert.Empty(t, stdout, c.about)
		assert.Equal(t, "load: "+c.say+"\n", stderr, c.about)
	}
}

func TestLoads(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, "%s %s %s", r.Method, body, r.Header.Get("A"))
	})
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("from a file"), 0o666))
	targets := filepath.Join(t.TempDir(), "targets")
	require.NoError(t, os.WriteFile(targets, []byte("GET "+url+"/a\nGET "+url+"/missing\nPOST "+url+"/b\n@"+file), 0o666))
	for _, c := range []struct {
		about string
		args  []string
		code  int
		say   string // in both outputs
	}{
		{"as it is", []string{url}, 0, "60 ok, 0 failed"},
		{"a text that is there", []string{"-contains=GET  b", "-header=A: b", url}, 0, "60 ok"},
		{"one that is not", []string{"-contains=b", url}, 1, `60 × the body does not contain "b"`},
		{"a body has a method", []string{"-body=x", "-contains=POST x ", url}, 0, "60 ok"},
		{"unless one is given", []string{"-body=@" + file, "-method=PUT", "-contains=PUT from a file", url}, 0, "60 ok"},
		{"another status", []string{url + "/missing"}, 1, "60 × status 404 Not Found"},
		{"a status that is right", []string{"-status=2xx, 404", url + "/missing"}, 0, "60 ok"},
		{"HTTP/2 of a server that does not speak it", []string{"-http=2", url}, 1, " does not speak HTTP/2: its answer begins with "},
		{"targets", []string{"-targets=" + targets}, 1, "load: 1 of 2 conditions not met: errors=0: 20 of 60, 33.3 %"},
		{"a condition on an endpoint", []string{"-targets=" + targets, "-require=errors{POST /b}=0,max{GET /a}<10s"}, 0, "POST /b "},
		{"one that there is not", []string{"-targets=" + targets, "-require=errors{GET /b}=0"}, 2, `condition "errors{GET /b}=0" is of what is not called: there are GET /a, GET /missing, POST /b`},
	} {
		code, stdout, stderr := run(t, append([]string{"-rate=600", "-for=100ms"}, c.args...)...)
		assert.Equal(t, c.code, code, c.about+stderr)
		assert.Contains(t, stdout+stderr, c.say, c.about)
	}
}

func TestTLSThatIsNotTrusted(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	code, _, stderr := run(t, "-rate=500", "-for=50ms", server.URL)
	assert.Equal(t, 1, code)
	assert.Contains(t, stderr, "its certificate is not trusted: x509: certificate signed by unknown authority: name its authority with -ca, or trust every server with -insecure\n")
	code, _, stderr = run(t, "-rate=500", "-for=50ms", "-insecure", server.URL)
	assert.Zero(t, code, stderr)
}

// TestInterrupt: a report of what was made, the exit code of a shell, and the record.
func TestInterrupt(t *testing.T) {
	var served atomic.Int64
	begun := make(chan struct{})
	url := serve(t, func(http.ResponseWriter, *http.Request) {
		if served.Add(1) == 20 {
			close(begun)
		}
	})
	file := filepath.Join(t.TempDir(), "a.json")
	load, stdout, stderr := process(t, "-rate=200", "-for=1h", "-json="+file, strings.Replace(url, "//", "//ann:secret@", 1))
	require.NoError(t, load.Start())
	<-begun
	require.NoError(t, load.Process.Signal(syscall.SIGINT))
	_ = load.Wait()
	assert.Equal(t, 130, load.ProcessState.ExitCode(), stderr)
	assert.Contains(t, stdout.String(), "HTTP/rate=200: open loop, ")
	assert.True(t, strings.HasSuffix(stderr.String(), "load: interrupted\n"), stderr)
	r, err := record.Read(file)
	require.NoError(t, err)
	assert.Equal(t, served.Load(), r.Result.OK)
	assert.Equal(t, strings.Replace(url, "//", "//ann:xxxxx@", 1), r.Config["targets"], "a password is nobody's business")
}

// TestInterruptWhileTargetsAreRead ends at once, and leaves no copy of them.
func TestInterruptWhileTargetsAreRead(t *testing.T) {
	temporary := t.TempDir()
	load, _, stderr := process(t, "-rate=5", "-targets=-")
	load.Env = append(os.Environ(), "TMPDIR="+temporary)
	stdin, err := load.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, load.Start())
	_, err = io.WriteString(stdin, strings.Repeat("GET http://127.0.0.1/\n", 1<<16)) // more than a pipe holds
	require.NoError(t, err)
	require.NoError(t, load.Process.Signal(syscall.SIGINT))
	_ = load.Wait()
	assert.Equal(t, 130, load.ProcessState.ExitCode())
	assert.Equal(t, "load: interrupted\n", stderr.String())
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestAPipeThatNobodyReads ends the process when the report is printed, and the record is there.
func TestAPipeThatNobodyReads(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	load, _, stderr := process(t, "-rate=500", "-for=50ms", "-json="+file, serve(t, hello))
	reader, writer, err := os.Pipe()
	require.NoError(t, err)
	reader.Close()
	defer writer.Close()
	load.Stdout = writer
	assert.Error(t, load.Run(), stderr)
	r, err := record.Read(file)
	require.NoError(t, err)
	assert.EqualValues(t, 25, r.Result.OK)
}

// TestABodyThatMustNotBe is nothing that net/http may print for each reply. Where the body
// is read as the next call's reply, that call fails: the test is of what is printed.
func TestABodyThatMustNotBe(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := w.(http.Hijacker).Hijack()
		io.WriteString(conn, "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello")
		conn.Close()
	})
	load, stdout, stderr := process(t, "-rate=500", "-for=50ms", "-quiet", "-require=calls=25", url)
	assert.NoError(t, load.Run(), stdout)
	assert.Empty(t, stderr.String())
}

// TestJob starts agents as job.yaml has Kubernetes start them.
func TestJob(t *testing.T) {
	url := serve(t, hello)
	results := t.TempDir()
	args := jobArgs(t, strings.NewReplacer("START", fmt.Sprint(time.Now().Add(4*time.Second).Unix()), "$(RUN)", "r", "/results/", results+"/"))
	args = append(args, url, "-rate=203", "-for=1s")
	var agents sync.WaitGroup
	for index := range 4 {
		agents.Go(func() {
			pod, _, stderr := process(t, args...)
			pod.Env = append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index))
			assert.NoError(t, pod.Run(), "agent %d: %s", index, stderr)
		})
	}
	agents.Wait()
	merged := new(loadgen.Result)
	files, err := filepath.Glob(filepath.Join(results, "r", "*-of-4.json"))
	require.NoError(t, err)
	require.Len(t, files, 4)
	for _, file := range files {
		part, err := record.Read(file)
		require.NoError(t, err)
		require.NoError(t, merged.Merge(part.Result))
	}
	assert.EqualValues(t, 203, merged.OK)
}

// jobArgs are the flags in job.yaml.
func jobArgs(t *testing.T, values *strings.Replacer) (args []string) {
	manifest, err := os.ReadFile("job.yaml")
	require.NoError(t, err)
	for line := range strings.Lines(string(manifest)) {
		if arg, ok := strings.CutPrefix(strings.TrimSpace(line), "- -"); ok {
			args = append(args, values.Replace("-"+arg))
		}
	}
	return args
}
