// Package builds tells the builds of a binary apart. A path is no build: what it leads to
// may be built again while it is measured.
package builds

import (
	"fmt"
	"io/fs"
	"os"
)

// Build is which build a path leads to. The zero Build is of a path that leads to none,
// which starting it tells better.
type Build struct{ file fs.FileInfo }

// Of returns the build that is at a path now.
func Of(path string) Build {
	info, err := os.Stat(path)
	if err != nil {
		return Build{}
	}
	return Build{info}
}

// Same reports whether nothing says that another build has come to the path. A file that
// was made again is another build, even of the same source: nobody can tell without
// reading both.
func (b Build) Same(now Build) bool {
	if b.file == nil || now.file == nil {
		return true
	}
	before, after := b.file, now.file
	return os.SameFile(before, after) && before.Size() == after.Size() && before.ModTime().Equal(after.ModTime())
}

// Known are builds by their paths, as they were when Check was first asked.
type Known map[string]Build

// Check returns a Rebuilt if another build is at the path than when it was first asked.
// then is what the rest of the run would do with it. A nil Known knows nothing and finds
// nothing.
func (k Known) Check(path, then string) error {
	now := Of(path)
	first, asked := k[path]
	if !asked && k != nil {
		k[path] = now
	}
	if asked && !first.Same(now) {
		return Rebuilt{path, then}
	}
	return nil
}

// Rebuilt says that a binary is not the one that the run began with.
type Rebuilt struct {
	Binary string
	Then   string // what the rest of the run would do with it, as in "round 2 would measure"
}

// Error implements error.
func (e Rebuilt) Error() string {
	return fmt.Sprintf("%s was built again during the run: %s another build; run again", e.Binary, e.Then)
}
