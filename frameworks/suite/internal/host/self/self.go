// Package self executes the build that this process is of. A build is an identity, not a
// path: the file at the path may be built again while this process measures, and a server
// of another build would be measured in silence.
//
// On Linux the kernel keeps the file that a process was started from for as long as the
// process lives, under a name of its own, even if the path leads to another file by then.
// Elsewhere the file at the path is compared with that of the start, and a sentence says
// that it is another.
package self

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Command returns a command that executes the build of this process with these
// arguments. It must be started by this process itself. The error says that the build is
// not there any more.
func Command(ctx context.Context, args ...string) (*exec.Cmd, error) {
	file, err := File()
	if err != nil {
		return nil, err
	}
	name, err := os.Executable() // for lists of processes; on Linux file is no name for them
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, file, args...)
	cmd.Args[0] = name
	return cmd, nil
}

// same reports whether a path still leads to the file that it led to before.
func same(before, now fs.FileInfo) bool {
	return os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// errAnother says that the file at a path is not the one that this process is of.
func errAnother(path string) error {
	return fmt.Errorf("%s was built again during the run: another process of it would be another build; run again", filepath.Base(path))
}
