// Api keeps what users rely on as text: each surface is a file of testdata/api, which is written
// anew from what the code is. A change of one is so seen in review, and has to be told in
// CHANGELOG.md:
//
//	api ROOT           # write the files, exit code 1 if CHANGELOG.md does not tell of one
//	api -base=REF ROOT # print which changes since a commit break users of the modules
//
// The surfaces are
//
//   - the exported declarations of each module that a release tags. Packages below a command are
//     its own, and promise nothing,
//   - the flags and exit codes of the commands, and of binaries with benchmarks (commands.txt),
//   - the names and keys of benchmarks, and the units of their lines (benchmarks.txt),
//   - the keys and columns of files with results, and their formats' numbers (records.txt).
//
// Flags, exit codes, keys and columns are not read from the source: commands are run, and files
// are written and read. What is found stands in the order of its text, so that it does not change
// with the order of the code.
//
// CHANGELOG.md tells of a surface in a line that has its name and the beginning of the SHA-256 of
// its file, as in (api: loadgen 5c1f09a2). The newest such line of a surface counts. It needs no
// history of git, which a clone in CI does not have.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("api: ")
	base := flag.String("base", "", "print what changed in the modules since a `commit`, and write nothing")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: api [-base=REF] ROOT")
	}
	root, err := filepath.Abs(flag.Arg(0))
	switch {
	case err != nil:
	case *base != "":
		err = compare(os.Stdout, root, *base, released.Modules())
	default:
		err = keep(root)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// keep writes the files, and looks whether CHANGELOG.md tells of them.
func keep(root string) error {
	found, err := surfaces(root)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(root, "testdata", "api"), found); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	return told(string(text), found)
}

// write makes a file of each surface, and removes those of surfaces that are no more.
func write(dir string, found []surfaceText) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range found {
		if err := os.WriteFile(filepath.Join(dir, s.name+".txt"), []byte(s.text), 0o644); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return err
}
