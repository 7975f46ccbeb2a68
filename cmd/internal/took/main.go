// Took runs go test, prints what go test prints, and keeps how long each test took.
//
//	go run ./internal/took DIRECTORY FILE [flags and packages of go test]
//	go run ./internal/took -table ROOT FILE
//
// The first runs go test in the directory of a module and appends a line for each test
// to FILE. The exit code is 1 if a test fails.
//
// The second prints the slowest tests in FILE. Each test that takes more than ten seconds
// needs a line "Slow:" with the reason in its comment; the exit code is 1 if one has none.
// Where other processes use the CPUs, the bound is as many times longer as processes
// were ready to run for each CPU.
package main

import (
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("took: ")
	if len(os.Args) < 3 {
		log.Fatal("usage: took DIRECTORY FILE [flags and packages of go test], or took -table ROOT FILE")
	}
	if os.Args[1] == "-table" {
		table(os.Args[2], os.Args[3])
		return
	}
	ok, err := run(os.Args[1], os.Args[2], os.Args[3:])
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

func table(root, file string) {
	tests, err := read(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(slowest(tests, shown))
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
