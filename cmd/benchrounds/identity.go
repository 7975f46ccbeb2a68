package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
)

// identity is which build a path leads to; without a file if it leads to none, which starting it
// tells better.
type identity struct{ file fs.FileInfo }

func identify(binary string) identity {
	info, err := os.Stat(command(context.Background(), binary, nil).Path)
	if err != nil {
		return identity{}
	}
	return identity{info}
}

// same reports whether nothing says that another build has come to the path. A file that
// was made again is another build, even of the same source: nobody can tell without
// reading both.
func (i identity) same(now identity) bool {
	if i.file == nil || now.file == nil {
		return true
	}
	before, after := i.file, now.file
	return os.SameFile(before, after) && before.Size() == after.Size() && before.ModTime().Equal(after.ModTime())
}

// errRebuilt says that a binary is not the one of the rounds before.
type errRebuilt struct {
	binary string
	round  int
}

func (e errRebuilt) Error() string {
	return fmt.Sprintf("%s was built again during the run: round %d would measure another build; run again", e.binary, e.round)
}
