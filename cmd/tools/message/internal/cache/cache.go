// Package cache keeps generated modules in directories of its own, of which it removes the
// ones that have not been used for the longest time.
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

// Kept is how many directories are kept, and Most how many bytes they may have together, but for
// the one that is used. One with all binaries has some 300 MB.
const (
	Kept = 8
	Most = 2 << 30
)

// mark is the file that says that a directory is one of ours. It is locked while modules are
// made in the directory and measured, and as old as its last use.
const mark = "made-by-rpcbench-message"

// Directory is one that no other process uses until it is closed, and what has inherited it has
// ended.
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

// Open makes or finds the directory of a key below base, and removes old ones if it can. It waits
// for another process that uses it, after a call of waiting.
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
	clean(base, key)
	return d, nil
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

// Inherit has the processes that this one starts from now on, or becomes, use the directory too.
func (d *Directory) Inherit() error { return inherit(d.mark) }

// Close lets others use the directory.
func (d *Directory) Close() error { return d.mark.Close() }

// clean removes directories that are ours and older than the newest, or than those that have
// Most bytes, but for the one of key and those in use. One that cannot be removed stays.
func clean(base, key string) {
	var kept int
	var bytes int64
	for _, dir := range ours(base) {
		if kept++; filepath.Base(dir) == key {
			continue
		}
		if bytes += size(dir); kept > Kept || bytes > Most {
			_ = remove(dir)
		}
	}
}

// ours are the directories below base that have a mark, the newest first.
func ours(base string) (dirs []string) {
	entries, _ := os.ReadDir(base)
	used := map[string]time.Time{}
	for _, entry := range entries {
		dir := filepath.Join(base, entry.Name())
		if info, err := os.Stat(filepath.Join(dir, mark)); err == nil {
			used[dir], dirs = info.ModTime(), append(dirs, dir)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return used[b].Compare(used[a]) })
	return dirs
}

// size is how many bytes the files below a directory have, of those that can be seen.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// remove removes a directory unless it is in use, and its mark last: without one nobody would
// know that what is left is ours.
func remove(dir string) error {
	file, err := os.OpenFile(filepath.Join(dir, mark), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if !try(file) {
		return nil
	}
	entries, err := os.ReadDir(dir)
	for _, entry := range entries {
		if entry.Name() != mark {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	if err != nil {
		return err
	}
	return os.RemoveAll(dir)
}
