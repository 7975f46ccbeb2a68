// Package cache keeps generated modules in directories of its own, of which it removes the
// oldest.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Kept is how many directories are kept. One with all binaries has some 300 MB.
const Kept = 8

// mark is the file that says that a directory is one of ours. It is locked while the
// directory is used, and as old as its last use.
const mark = "made-by-rpcbench-message"

// Directory is one that no other process uses until it is closed.
type Directory struct {
	Path string
	mark *os.File
}

// Base is the directory of all, in the user's cache directory.
func Base() (string, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w: say where generated modules belong with -cache", err)
	}
	return filepath.Join(user, "rpcbench", "message"), nil
}

// Open makes or finds the directory of a key below base, and removes old ones. It waits for
// another process that uses it, after a call of waiting.
func Open(base, key string, waiting func()) (*Directory, error) {
	d := &Directory{Path: filepath.Join(base, key)}
	for !d.held() {
		if err := d.hold(waiting); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	if err := os.Chtimes(d.mark.Name(), now, now); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, clean(base, key)
}

// hold makes the directory and locks its mark.
func (d *Directory) hold(waiting func()) (err error) {
	if err := os.MkdirAll(d.Path, 0o755); err != nil {
		return err
	}
	if d.mark, err = os.OpenFile(filepath.Join(d.Path, mark), os.O_CREATE|os.O_RDWR, 0o644); err != nil {
		return err
	}
	if !try(d.mark) {
		waiting()
		if err := wait(d.mark); err != nil {
			return errors.Join(fmt.Errorf("%s is used by another process: %w", d.Path, err), d.Close())
		}
	}
	return nil
}

// held reports whether the locked mark is the directory's: another process may have removed
// the directory before it was locked.
func (d *Directory) held() bool {
	if d.mark == nil {
		return false
	}
	locked, err := d.mark.Stat()
	is, err2 := os.Stat(d.mark.Name())
	if err != nil || err2 != nil || !os.SameFile(locked, is) {
		d.Close()
		return false
	}
	return true
}

// Close lets others use the directory.
func (d *Directory) Close() error { return d.mark.Close() }

// clean removes directories that are ours and older than the newest, but for the one of key
// and those in use.
func clean(base, key string) error {
	marks, err := filepath.Glob(filepath.Join(escaped(base), "*", mark))
	if err != nil {
		return err
	}
	used := map[string]time.Time{}
	for _, file := range marks {
		if info, err := os.Stat(file); err == nil {
			used[file] = info.ModTime()
		}
	}
	slices.SortFunc(marks, func(a, b string) int { return used[b].Compare(used[a]) })
	for i, file := range marks {
		if dir := filepath.Dir(file); i >= Kept && filepath.Base(dir) != key {
			err = errors.Join(err, remove(dir))
		}
	}
	return err
}

// remove removes a directory unless it is in use.
func remove(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, mark), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	if !try(file) {
		return nil
	}
	return os.RemoveAll(dir)
}

// escaped is a path as a pattern has it.
func escaped(path string) (pattern string) {
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' {
			pattern += "[" + string(r) + "]"
			continue
		}
		pattern += string(r)
	}
	return pattern
}
