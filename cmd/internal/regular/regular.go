// Package regular reads files that a directory or a user names. A named pipe would be
// waited for without an end, a device may have no end, and a file of gigabytes does not
// fit into memory: all are refused before anything is read.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a regular file, or one that a symbolic link leads to, of no more than most bytes.
// The error names the file.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path, most)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most { // it grew
		err = tooLarge(path, int64(len(data)), most)
	}
	return data, err
}

// Open opens a regular file, or one that a symbolic link leads to, of no more than most bytes.
// The error names the file.
func Open(path string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unopened(err)
	}
	if err := Check(path, info, most); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// unopened is the error of a file that is not there as os.Open has it.
func unopened(err error) error {
	if failed, is := errors.AsType[*fs.PathError](err); is {
		return &fs.PathError{Op: "open", Path: failed.Path, Err: failed.Err}
	}
	return err
}

// Check returns an error for what is no regular file of no more than most bytes.
func Check(path string, info fs.FileInfo, most int64) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s, not a file", path, kind(info.Mode()))
	case info.Size() > most:
		return tooLarge(path, info.Size(), most)
	}
	return nil
}

func tooLarge(path string, size, most int64) error {
	return fmt.Errorf("%s has %d bytes: more than %d MiB are not read", path, size, most>>20)
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else" // as Windows has
}
