// Changed checks what has changed since the last commit that HEAD has in common with a
// revision, origin/main, or without one since HEAD, and files that git does not know yet.
//
//	go run ./internal/changed [-since=REVISION] quick ROOT
//	go run ./internal/changed [-since=REVISION] [-n=20] flaky ROOT [flags of go test]
//
// Quick lints the modules that changed, and runs the short tests of what may break: of
// all modules but those of frameworks, and of frameworks that changed, with three more.
// Go knows the results of packages that no change can reach.
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
	lint := len(t.changed) == 0 || t.start("make", "--no-print-directory", "lint", "MODULES="+strings.Join(t.linted(), " "))
	tested, packages := t.tested()
	return t.start("make", "--no-print-directory", "test", "HOW=-short", "MODULES="+strings.Join(tested, " "), "TESTED="+strings.Join(packages, " ")) && lint
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
