//go:build !linux

package self

import "os"

// atStart is what the path of this process led to when it started.
var atStart, errAtStart = find()

func find() (os.FileInfo, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Stat(path)
}

// File returns the path of the file that this process was started from. The error says
// that another file is there by now.
func File() (string, error) {
	if errAtStart != nil {
		return "", errAtStart
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	now, err := os.Stat(path)
	if err == nil && !same(atStart, now) {
		err = errAnother(path)
	}
	return path, err
}

// Path returns a path by which any process may execute the file that this one was started
// from, with the same error.
func Path() (string, error) { return File() }

// Rename does nothing: a process is called by its path.
func Rename() {}
