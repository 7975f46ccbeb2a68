package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// TestMain runs httpload if the process was started for that.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "httpload" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestJob starts agents as job.yaml has Kubernetes start them.
func TestJob(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }))
	defer server.Close()
	results := t.TempDir()
	args := jobArgs(t, strings.NewReplacer("START", fmt.Sprint(time.Now().Add(5*time.Second).Unix()), "$(RUN)", "r", "/results/", results+"/"))
	args = append(args, "-url="+server.URL, "-rate=203", "-duration=1s")
	var agents sync.WaitGroup
	for index := range 4 {
		agents.Go(func() {
			self, err := os.Executable()
			if err != nil {
				t.Error(err)
			}
			pod := exec.CommandContext(t.Context(), self, args...)
			pod.Args[0], pod.Env = "httpload", append(os.Environ(), fmt.Sprint("JOB_COMPLETION_INDEX=", index))
			if out, err := pod.CombinedOutput(); err != nil {
				t.Errorf("agent %d: %v\n%s", index, err, out)
			}
		})
	}
	agents.Wait()
	merged := new(loadgen.Result)
	files, err := filepath.Glob(filepath.Join(results, "r", "*-of-4.json"))
	if err != nil || len(files) != 4 {
		t.Fatalf("the records are %v", files)
	}
	for _, file := range files {
		part, err := record.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := merged.Merge(part.Result); err != nil {
			t.Error(err)
		}
	}
	if merged.OK != 203 {
		t.Errorf("%d calls were answered, and not 203", merged.OK)
	}
}

// TestOutputThatIsLost is a failure; the record is there.
func TestOutputThatIsLost(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	alone := exec.CommandContext(t.Context(), self, "-url="+server.URL, "-rate=50", "-duration=100ms", "-results="+results)
	var said strings.Builder
	alone.Args[0], alone.Stdout, alone.Stderr = "httpload", full, &said
	if err := alone.Run(); alone.ProcessState == nil || alone.ProcessState.ExitCode() != 1 {
		t.Errorf("%v: %s", err, said.String())
	}
	if !strings.Contains(said.String(), "no space left on device") {
		t.Errorf("it said %q", said.String())
	}
	if files, _ := filepath.Glob(filepath.Join(results, "*.json")); len(files) != 1 {
		t.Errorf("the records are %v", files)
	}
}

// jobArgs are the arguments in job.yaml.
func jobArgs(t *testing.T, values *strings.Replacer) (args []string) {
	manifest, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		if arg, ok := strings.CutPrefix(strings.TrimSpace(line), "- -"); ok {
			args = append(args, values.Replace("-"+arg))
		}
	}
	return args
}

// TestGet: a call is answered by 200 OK alone, and its connection is used again.
func TestGet(t *testing.T) {
	status := http.StatusOK
	connections := 0
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, "hello")
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections++
		}
	}
	server.Start()
	call := get(server.URL, 1)
	for range 3 {
		if err := call(t.Context(), 0); err != nil {
			t.Error(err)
		}
	}
	status = http.StatusTeapot
	if err := call(t.Context(), 0); err == nil || err.Error() != "the service answered 418 I'm a teapot" {
		t.Errorf("a refusal is %v", err)
	}
	server.Close()
	if err := call(t.Context(), 0); err == nil {
		t.Error("a server that is gone has answered")
	}
	if connections != 1 {
		t.Errorf("%d connections were opened, and not 1", connections)
	}
}
