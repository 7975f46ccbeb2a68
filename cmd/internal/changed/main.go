// Changed checks what has changed since the last commit that HEAD has in common with a
// revision, origin/main, or without one since HEAD, and files that git does not know yet.
//
//	go run ./internal/changed [-since=REVISION] quick ROOT
//	go run ./internal/changed [-since=REVISION] [-n=20] flaky ROOT [flags of go test]
//
// Quick lints the modules that changed, and runs the short tests of the packages that
// changed and of those in the same module that import them. The tests of other modules
// are make test's. A change of a document has the tests of all documents run.
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

// quick reports whether lint and the short tests pass.
func (t tree) quick() bool {
	if len(t.changed) == 0 {
		fmt.Println("nothing has changed: make test runs the tests of all modules")
		return true
	}
	ok := t.start("make", "--no-print-directory", "lint", "MODULES="+strings.Join(t.linted(), " "))
	for _, m := range t.changed {
		packages, err := t.reached(m)
		if err != nil {
			log.Print(err)
			ok = false
		}
		if len(packages) > 0 {
			args := append([]string{"run", "-C", "cmd", "./internal/took", "test", m.dir, "-short"}, packages...)
			ok = t.start("go", args...) && ok
		}
	}
	return ok
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
