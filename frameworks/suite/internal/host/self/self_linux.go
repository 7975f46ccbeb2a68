package self

import (
	"os"
	"path/filepath"
)

const own = "/proc/self/exe"

// File returns the name under which this process reads and executes the file that it was
// started from. A process that forks from this one may execute it by that name as well;
// any other process is named something else by it.
func File() (string, error) { return own, nil }

// Path returns a path by which any process may execute the file that this one was started
// from. The error says that another file is there by now.
func Path() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	mine, err := os.Stat(own)
	if err != nil {
		return "", err
	}
	if there, err := os.Stat(path); err != nil || !same(mine, there) {
		return "", errAnother(path)
	}
	return path, nil
}

// Rename gives this process the name of its file in lists of processes, where one that was
// executed as File is called exe. A failure changes only what such a list shows.
func Rename() {
	if path, err := os.Executable(); err == nil {
		_ = os.WriteFile("/proc/self/comm", []byte(filepath.Base(path)), 0)
	}
}
