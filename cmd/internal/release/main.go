// Release makes a release of the repository, and the files of one.
//
//	go run -C cmd ./internal/release [-platforms=linux/amd64,…] VERSION
//	go run -C cmd ./internal/release [-platforms=linux/amd64,…] -dist
//
// The first writes VERSION into every go.mod, into the examples' Makefiles and into
// CHANGELOG.md, commits that, and tags the commit for each module that others import. Both
// then build dist/ from the version that HEAD is tagged with: the commands that others install,
// the components of each module as CycloneDX has them, and SHA256SUMS. The commands are
// built twice, from two clones, and all is checked. Nothing is pushed.
//
// The exit code is 1 if anything fails, and 2 if the command line is wrong.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

const (
	// root is the repository's, for a command that runs in cmd.
	root = ".."
	// repo is where the modules are imported from.
	repo = "github.com/rpcbench/rpcbench"
	// supported are the platforms whose commands are built, unless -platforms names others.
	supported = "linux/amd64,linux/arm64,darwin/arm64,windows/amd64"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("release: ")
	platforms := flag.String("platforms", supported, "`systems` that the commands are built for, with commas between")
	alone := flag.Bool("dist", false, "build and check the files of the version that HEAD is tagged with")
	flag.Parse()
	if flag.NArg() > 1 || *alone == (flag.NArg() == 1) {
		log.Print("give a version, or -dist; -h prints help")
		os.Exit(2)
	}
	at, err := filepath.Abs(root)
	if err == nil {
		t := tree{dir: at, env: environment(os.Environ())}
		err = t.make(flag.Args(), strings.Split(*platforms, ","))
	}
	if err != nil {
		log.Fatal(err)
	}
}

// make makes the version of the arguments, or, without arguments, only the files of the one
// that HEAD is tagged with.
func (t tree) make(args, platforms []string) error {
	if len(args) == 1 {
		return t.release(args[0], platforms)
	}
	version, err := t.tagged()
	if err != nil {
		return err
	}
	return t.dist(version, platforms)
}

// release makes a version, and says what is left to be done.
func (t tree) release(version string, platforms []string) error {
	if err := t.check(version); err != nil {
		return err
	}
	if err := t.mark(version); err != nil {
		return err
	}
	all := tags(version)
	if err := t.dist(version, platforms); err != nil {
		return fmt.Errorf("%w\nundo it: git tag -d %s && git reset --hard HEAD^", err, strings.Join(all, " "))
	}
	// GitHub starts no workflow for tags of which more than three are pushed at once.
	fmt.Printf("push it: git push --atomic origin HEAD %s && git push origin %s\n", strings.Join(all[1:], " "), version)
	fmt.Printf("then the workflow uploads it. By hand: gh release create %s --verify-tag --generate-notes dist/*\n", version)
	return nil
}

// tags lists the tags of a version: the repository's, and one for each module.
func tags(version string) []string {
	list := []string{version}
	for _, m := range released.Modules() {
		list = append(list, m+"/"+version)
	}
	return list
}

// mark commits what has the version in it, and tags the commit.
func (t tree) mark(version string) error {
	if err := t.stamp(version); err != nil {
		return err
	}
	if _, err := t.git("commit", "-q", "--allow-empty", "-a", "-m", "release "+version); err != nil {
		return err
	}
	var errs []error
	for _, tag := range tags(version) {
		_, err := t.git("tag", tag)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
