// Flaky runs the tests of changed packages many times beside a busy loop, since a test that
// depends on time fails first on a busy machine.
//
//	go run ./internal/flaky [-since=REVISION] [-n=20] ROOT [flags of go test]
//
// Changed are packages with files that differ from the last commit that HEAD has in common
// with the revision (origin/main), or that git does not know yet. The exit code is 1 if a
// test fails once.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("flaky: ")
	since := flag.String("since", "origin/main", "packages changed since the last commit in common with this `revision`")
	n := flag.Int("n", 20, "run the tests a `number` of times")
	flag.Parse()
	if flag.NArg() < 1 || *n < 1 {
		log.Fatal("usage: flaky [-since=REVISION] [-n=20] ROOT [flags of go test]")
	}
	root := flag.Arg(0)
	files, err := changed(root, *since)
	if err != nil {
		log.Fatal(err)
	}
	modules := packages(root, files)
	if len(modules) == 0 {
		log.Fatalf("no package with tests has changed since %s", *since)
	}
	go spin()
	failed := false
	for _, m := range modules {
		failed = !m.test(root, *n, flag.Args()[1:]) || failed
	}
	if failed {
		os.Exit(1)
	}
}

// spin takes a CPU, as other programs of a busy machine do.
func spin() {
	for i := 0; ; i++ {
		_ = i
	}
}

// changed are the files that differ, by their paths below the root.
func changed(root, since string) (files []string, err error) {
	base, err := git(root, "merge-base", "HEAD", since)
	if err != nil {
		return nil, fmt.Errorf("-since=%s: %w", since, err)
	}
	for _, args := range [][]string{{"diff", "--name-only", strings.TrimSpace(base)}, {"ls-files", "-o", "--exclude-standard"}} {
		out, err := git(root, args...)
		if err != nil {
			return nil, err
		}
		files = append(files, strings.FieldsFunc(out, func(r rune) bool { return r == '\n' })...)
	}
	return files, nil
}

func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = root, environ.Tools(os.Environ())
	out, err := cmd.Output()
	if failed, ok := err.(*exec.ExitError); ok && len(failed.Stderr) > 0 {
		err = fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(failed.Stderr)))
	}
	return string(out), err
}

// module is a module's directory below the root, with packages of it.
type module struct {
	dir      string
	packages []string
}

// packages are the packages of files that have tests, by modules.
func packages(root string, files []string) (modules []module) {
	for _, file := range files {
		dir := path.Dir(file)
		tests, _ := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
		if len(tests) == 0 {
			continue
		}
		of := dir
		for of != "." && !exists(filepath.Join(root, of, "go.mod")) {
			of = path.Dir(of)
		}
		below, _ := filepath.Rel(of, dir)
		modules = add(modules, of, "./"+filepath.ToSlash(below))
	}
	return modules
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// add adds a package to its module, once.
func add(modules []module, dir, pkg string) []module {
	i := slices.IndexFunc(modules, func(m module) bool { return m.dir == dir })
	if i < 0 {
		return append(modules, module{dir, []string{pkg}})
	}
	if !slices.Contains(modules[i].packages, pkg) {
		modules[i].packages = append(modules[i].packages, pkg)
	}
	return modules
}

// test reports whether all runs of a module's packages pass.
func (m module) test(root string, n int, flags []string) bool {
	fmt.Printf("%s: %s, %d times\n", m.dir, strings.Join(m.packages, " "), n)
	args := slices.Concat([]string{"test", fmt.Sprint("-count=", n), "-failfast", "-parallel=4", "-timeout=2h"}, flags, m.packages)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = filepath.Join(root, m.dir), environ.Tools(os.Environ()), os.Stdout, os.Stderr
	err := cmd.Run()
	if err != nil {
		log.Printf("%s: %v", m.dir, err)
	}
	return err == nil
}
