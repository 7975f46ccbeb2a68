// House holds the structure of the repository in which it is run to three bounds: the
// files of a package, the fields of a struct, and the files of a package that use each
// other in a circle. It names what is over its bound, and says what to do:
//
//	house                 # exit code 1 if something is over its bound
//	house -n=15           # the figures of 15 packages, those nearest to their bounds first
//	house -why=DIRECTORY  # the circles of a package, with what ties their files
//
// A file uses another of its package when it has a name that the other declares: a type,
// a function, a method, a field, a variable or a constant. Files are in one circle when
// each uses every other, directly or by way of others, so that none can be read or moved
// alone.
//
// Counted are the files that git knows and this system builds, without tests, testdata
// and generated code. Packages of the standard library and of other repositories are
// taken to be empty, which makes it fast: what is only used through their values, such as
// a method called on what slices.Max returns, is not seen.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("house: ")
	n := flag.Int("n", 0, "only print the figures of a `number` of packages, those nearest to their bounds first")
	why := flag.String("why", "", "only print the circles of the package in a `directory`, with what ties their files")
	flag.Parse()
	if flag.NArg() != 0 || *n < 0 {
		log.Fatal("usage: house [-n=NUMBER | -why=DIRECTORY], in a directory of the repository")
	}
	r, err := read(".")
	if err != nil {
		log.Fatal(err)
	}
	c := newChecker(r)
	switch {
	case *why != "":
		err = explain(os.Stdout, c, path.Clean(*why))
	case *n > 0:
		table(os.Stdout, c, *n)
	default:
		err = check(os.Stdout, c)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// explain prints all circles of a package.
func explain(w io.Writer, c checker, dir string) error {
	p := c.packages[dir]
	if p == nil {
		return fmt.Errorf("-why=%s: there is no package in this directory, which is one below %s", dir, c.root)
	}
	u := c.uses(p)
	circles := u.circles()
	if len(circles) == 0 {
		fmt.Fprintf(w, "%s: no circle of files\n", dir)
	}
	for _, circle := range circles {
		fmt.Fprintf(w, "%s: %d files use each other in a circle. %s\n", dir, len(circle), u.ties(circle, 0))
	}
	return nil
}

// check prints what is over its bound.
func check(w io.Writer, c checker) error {
	n := 0
	for _, p := range c.sorted() {
		for _, breach := range breaches(p, c.uses(p)) {
			fmt.Fprintln(w, breach)
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("%d over their bounds; -why=DIRECTORY says more of the circles of a package", n)
	}
	return nil
}
