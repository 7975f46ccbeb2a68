// Package whole writes a file in such a way that a reader finds all of it, or what was there before.
package whole

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/internal/portable"
)

// Write replaces a file by what write writes, once that is all there and no error came
// up. Its mode stays, and a symbolic link goes on leading to it. What is no file, such
// as a device or a pipe, is written to at once.
func Write(path string, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case err == nil && !info.Mode().IsRegular():
		return into(path, os.O_WRONLY, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if _, err := os.Lstat(path); err == nil { // a link to what is not there yet
		return into(path, os.O_WRONLY|os.O_CREATE, write)
	}
	part := filepath.Join(filepath.Dir(path), portable.Name(fmt.Sprintf(".part-%d-%s", os.Getpid(), filepath.Base(path)), portable.Most))
	err = into(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, write)
	if err == nil && info != nil {
		err = os.Chmod(part, info.Mode())
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part) // it may not be there
	}
	return err
}

// into writes to a file that is opened in this way.
func into(path string, flag int, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if err = write(b); err == nil {
		err = b.Flush()
	}
	return errors.Join(err, f.Close())
}
