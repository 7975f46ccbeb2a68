package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64 // seconds
}

// run prints what go test prints, and appends what tests took to a file.
func run(dir, file string, args []string) (ok bool, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return false, err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return false, err
	}
	defer out.Close()
	cmd := exec.Command("go", append([]string{"test", "-json", "-parallel=8", "-timeout=20m"}, args...)...) // tests mostly wait, and long on a busy machine
	programs := programs(os.Getenv("PATH"))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(environ.Tools(cmd.Environ()), "RPCBENCH_PROGRAMS="+programs, "RPCBENCH_TREE="+tree(root)+programs)
	events, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	err = (&printer{verbose: slices.Contains(args, "-v"), out: os.Stdout, times: out, load: load}).follow(events)
	var failed *exec.ExitError
	if ended := cmd.Wait(); errors.As(ended, &failed) {
		return false, err
	} else if err == nil {
		err = ended
	}
	return err == nil, err
}

// printer prints events as go test does without -json.
type printer struct {
	verbose    bool
	out, times io.Writer
	load       func() float64
	said       map[string]string // by tests that have not ended, and by packages
	ended      []test
	cached     map[string]bool // the packages whose results are of an earlier run

	parallel map[string]bool    // the tests that have waited for others that are not parallel
	longest  map[string]float64 // the seconds of the longest parallel subtest, by top-level tests
}

func (p *printer) follow(events io.Reader) error {
	p.said, p.parallel, p.longest, p.cached = map[string]string{}, map[string]bool{}, map[string]float64{}, map[string]bool{}
	defer p.keep()
	for d := json.NewDecoder(events); ; {
		var e event
		switch err := d.Decode(&e); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("go test -json: %w", err)
		}
		p.take(e)
	}
}

// keep writes what the tests took. A package says behind its tests that they did not run.
func (p *printer) keep() {
	for _, t := range p.ended {
		if p.cached[t.Package] {
			t.Load = unknown
		}
		fmt.Fprintf(p.times, "%s %s %.2f %.2f\n", t.Package, t.Name, t.Seconds, t.Load)
	}
}

func (p *printer) take(e event) {
	at := e.Package + " " + e.Test
	switch {
	case e.Action == "build-output", e.Action == "output" && p.verbose:
		fmt.Fprint(p.out, e.Output)
	case e.Action == "output" && e.Test == "":
		p.ofAPackage(e)
	case e.Action == "output":
		p.said[at] += e.Output
	case e.Action == "pause":
		p.parallel[at] = true
	case e.Action == "skip":
		delete(p.said, at)
	case e.Test == "" || e.Action != "pass" && e.Action != "fail":
	default:
		p.end(e, at)
	}
}

// ofAPackage prints what a package says of itself, without what go test leaves out if
// all its tests pass.
func (p *printer) ofAPackage(e event) {
	if strings.HasSuffix(e.Output, "\t(cached)\n") {
		p.cached[e.Package] = true
	}
	if e.Output != "PASS\n" && !strings.HasSuffix(e.Output, "\t[no test files]\n") {
		p.unended(e.Package, e.Output)
		fmt.Fprint(p.out, e.Output)
	}
}

// unended prints what tests have said that a panic, a deadline or an exit has ended.
func (p *printer) unended(name, output string) {
	if !strings.HasPrefix(output, "FAIL\t") {
		return
	}
	for at, said := range p.said {
		if strings.HasPrefix(at, name+" ") {
			fmt.Fprint(p.out, said)
		}
	}
}

// end keeps what a test took, and prints what one that failed has said.
func (p *printer) end(e event, at string) {
	said := p.said[at]
	delete(p.said, at)
	if e.Action == "fail" && !p.verbose {
		fmt.Fprint(p.out, said)
	}
	name, _, sub := strings.Cut(e.Test, "/")
	top := e.Package + " " + name
	switch {
	case !sub:
		p.ended = append(p.ended, test{e.Package, e.Test, e.Elapsed + p.longest[at], p.load()})
	case p.parallel[at]: // which the time of its parent leaves out
		p.longest[top] = max(p.longest[top], e.Elapsed)
	}
}

// tree is a digest of the files of a repository as they are. Tests read it that read what Go
// does not see, so that Go keeps their results until a file changes.
func tree(root string) string {
	sum := sha256.New()
	for _, args := range [][]string{{"rev-parse", "HEAD^{tree}"}, {"diff", "HEAD"}, {"ls-files", "-o", "--exclude-standard"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env, cmd.Stdout = root, environ.Tools(os.Environ()), sum
		var others bytes.Buffer
		if args[0] == "ls-files" {
			cmd.Stdout = &others
		}
		if err := cmd.Run(); err != nil {
			return time.Now().String() // whose results are of this run alone
		}
		for file := range strings.Lines(others.String()) {
			text, err := os.ReadFile(filepath.Join(root, strings.TrimSpace(file)))
			fmt.Fprintf(sum, "%s%x%v", file, sha256.Sum256(text), err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// programs is a digest of the programs of this machine: of the directories of PATH, and those
// of PostgreSQL, with the times at which they changed last.
func programs(path string) string {
	sum := sha256.New()
	postgres, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	for _, dir := range append(filepath.SplitList(path), postgres...) {
		if info, err := os.Stat(dir); err == nil {
			fmt.Fprintln(sum, dir, info.ModTime())
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// load is how many processes were ready to run for each CPU in the last minute; 0 where
// the system does not tell.
func load() (perCPU float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fmt.Sscan(string(text), &perCPU)
	return perCPU / float64(runtime.NumCPU())
}
