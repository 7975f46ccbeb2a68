// Changed checks what has changed since the last commit that HEAD has in common with a
// revision, origin/main, or without one since HEAD, and files that git does not know yet.
//
//	go run ./internal/changed [-since=REVISION] quick ROOT
//	go run ./internal/changed [-since=REVISION] [-n=20] flaky ROOT [flags of go test]
//
// Quick looks at the format of the packages that changed and vets them, and runs the short
// tests of them and of those in the same module that import them. What else make lint finds,
// and the tests of other modules, would take minutes on a machine that has compiled nothing
// yet. A change of a document has the tests of all documents run.
//
// Flaky runs the tests of packages that changed many times beside a busy loop, since a
// test that depends on time fails first on a busy machine.
//
// The exit code is 1 if something fails.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("changed: ")
	since := flag.String("since", usual, "what changed since the last commit in common with this `revision`")
	n := flag.Int("n", 20, "flaky: run the tests a `number` of times")
	flag.Parse()
	if flag.NArg() < 2 || *n < 1 {
		log.Fatal("usage: changed [-since=REVISION] quick ROOT, or changed [-since=REVISION] [-n=20] flaky ROOT [flags of go test]")
	}
	t, err := changes(flag.Arg(1), *since)
	if err != nil {
		log.Fatal(err)
	}
	ok := false
	switch flag.Arg(0) {
	case "quick":
		ok = t.quick()
	case "flaky":
		ok = t.flaky(*n, flag.Args()[2:])
	default:
		log.Fatalf("%q is neither quick nor flaky", flag.Arg(0))
	}
	if !ok {
		os.Exit(1)
	}
}

// quick reports whether format, vet and the short tests pass.
func (t tree) quick() bool {
	if len(t.changed) == 0 {
		fmt.Println("nothing has changed: make test runs the tests of all modules")
		return true
	}
	defer os.Remove(filepath.Join(t.root, "bin", "took-quick.txt")) // times of short tests
	ok := true
	for _, m := range t.changed {
		ok = t.vetted(m) && ok
		ok = t.tested(m) && ok
	}
	return ok
}

// vetted reports whether the packages of a module that changed have their format, and pass
// go vet.
func (t tree) vetted(m module) bool {
	dirs := t.compiled(m)
	if len(dirs) == 0 {
		return true
	}
	args := []string{"-C", m.dir, "vet"}
	for _, dir := range dirs {
		args = append(args, relative(m.dir, dir))
	}
	ok := t.formatted(dirs)
	return t.start("go", args...) && ok
}

// formatted reports whether gofumpt would leave directories as they are, and those below
// them. It leaves out generated code.
func (t tree) formatted(dirs []string) bool {
	args := []string{"tool", "-modfile=cmd/tools/go.mod", "gofumpt", "-l"}
	cmd := exec.Command("go", append(args, dirs...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = t.root, environ.Tools(os.Environ()), os.Stderr
	out, err := cmd.Output()
	if len(out) > 0 {
		log.Printf("make fmt formats %s", strings.Join(strings.Fields(string(out)), ", "))
	}
	if err != nil {
		log.Printf("gofumpt: %v", err)
	}
	return len(out) == 0 && err == nil
}

// tested reports whether the short tests of a module pass that a change of it can reach.
func (t tree) tested(m module) bool {
	packages, err := t.reached(m)
	if err != nil {
		log.Print(err)
		return false
	}
	args := append([]string{"run", "-C", "cmd", "./internal/took", "quick", m.dir, "-short"}, packages...)
	return len(packages) == 0 || t.start("go", args...)
}

// flaky reports whether all runs of the packages that changed pass.
func (t tree) flaky(n int, flags []string) bool {
	ok := true
	go spin()
	for _, m := range t.changed {
		if m.packages == nil {
			continue
		}
		fmt.Printf("%s: %s, %d times\n", m.dir, strings.Join(m.packages, " "), n)
		args := append([]string{"-C", m.dir, "test", fmt.Sprint("-count=", n), "-failfast", "-parallel=4", "-timeout=2h"}, flags...)
		ok = t.start("go", append(args, m.packages...)...) && ok
	}
	return ok
}

// spin takes a CPU, as other programs of a busy machine do.
func spin() {
	for i := 0; ; i++ {
		_ = i
	}
}

// start reports whether a command succeeds.
func (t tree) start(name string, args ...string) bool {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = t.root, environ.Tools(os.Environ()), os.Stdout, os.Stderr
	err := cmd.Run()
	if err != nil {
		log.Printf("%s: %v", name, err)
	}
	return err == nil
}
