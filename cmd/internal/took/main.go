// Took runs go test, prints what go test prints, and keeps how long each test took.
//
//	go run -C cmd ./internal/took TARGET MODULE [flags and packages of go test]
//	go run -C cmd ./internal/took -table TARGET
//
// The first runs go test in the directory of a module, and appends a line for each test to
// bin/took-TARGET.txt. The exit code is 1 if a test fails.
//
// The second prints the slowest tests of the target. Each test that takes more than ten
// seconds needs a line "Slow:" with the reason in its comment; the exit code is 1 if one
// has none. Of the target race only the table is printed, since the race detector makes
// tests several times slower. On a busy machine the bound is longer: ten seconds times the
// number of processes that were ready to run for each CPU. Results that go test has kept were
// judged when they were measured.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// root is the repository's, for a command that runs in cmd.
const root = ".."

// fileOf has what the tests of a target took.
func fileOf(target string) string { return filepath.Join(root, "bin", "took-"+target+".txt") }

func main() {
	log.SetFlags(0)
	log.SetPrefix("took: ")
	if len(os.Args) < 3 {
		log.Fatal("usage: took TARGET MODULE [flags and packages of go test], or took -table TARGET")
	}
	if os.Args[1] == "-table" {
		table(fileOf(os.Args[2]), os.Args[2] != "race")
		return
	}
	ok, err := run(filepath.Join(root, os.Args[2]), fileOf(os.Args[1]), os.Args[3:])
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

func table(file string, check bool) {
	tests, err := read(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(slowest(tests, shown))
	if !check {
		return
	}
	missing, err := unexplained(root, tests)
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range missing {
		fmt.Printf("%s %s took %.1f s: make it faster, or give the reason in its comment, in a line that begins with Slow:\n", t.Package, t.Name, t.Seconds)
	}
	if len(missing) > 0 {
		os.Exit(1)
	}
}
