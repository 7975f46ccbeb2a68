// Package builds finds executables by what they are. Several machines make a run together only with
// the same build, and a file of the same name may be another one.
package builds

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/self"
)

// Build is an executable.
type Build struct {
	Hash string // SHA-256 of the file, in hexadecimal
	File string // its name, without a directory
}

// String is how messages name it.
func (b Build) String() string { return fmt.Sprintf("%s (SHA-256 %.12s…)", b.File, b.Hash) }

// Own is the build of this process.
func Own() (b Build, err error) {
	path, err := self.File()
	if err != nil {
		return b, err
	}
	name, err := os.Executable()
	if err != nil {
		return b, err
	}
	b.File = filepath.Base(name)
	b.Hash, err = hashOf(path)
	return b, err
}

func hashOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// Shelf is a directory of builds, with the directories in it, so that two builds can have one name. It
// remembers the hashes of files that have not changed.
type Shelf struct {
	Dir string // "" for the directory of this process's executable

	mu    sync.Mutex
	known map[string]hashed
}

type hashed struct {
	size int64
	time time.Time
	hash string
}

// Find returns the file of a build.
func (s *Shelf) Find(b Build) (path string, err error) {
	dir, err := s.dir()
	if err != nil {
		return "", err
	}
	if b.File == "" || b.File != filepath.Base(b.File) {
		return "", fmt.Errorf("%q is no name of a file", b.File)
	}
	below, _ := filepath.Glob(filepath.Join(escaped(dir), "*", escaped(b.File))) // the pattern is right
	for _, path := range append([]string{filepath.Join(dir, b.File)}, below...) {
		if hash, err := s.hash(path); err == nil && hash == b.Hash {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no file of the build %v in %s, nor one directory below: copy it there", b, dir)
}

func (s *Shelf) dir() (string, error) {
	if s.Dir != "" {
		return s.Dir, nil
	}
	name, err := os.Executable()
	return filepath.Dir(name), err
}

// escaped is a name as a pattern that matches nothing else.
func escaped(name string) string {
	var pattern []byte
	for i := range len(name) {
		switch name[i] {
		case '*', '?', '[', '\\':
			pattern = append(pattern, '\\')
		}
		pattern = append(pattern, name[i])
	}
	return string(pattern)
}

// hash returns that of a regular file.
func (s *Shelf) hash(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fs.ErrInvalid
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k, ok := s.known[path]; ok && k.size == info.Size() && k.time.Equal(info.ModTime()) {
		return k.hash, nil
	}
	hash, err := hashOf(path)
	if err != nil {
		return "", err
	}
	if s.known == nil {
		s.known = map[string]hashed{}
	}
	s.known[path] = hashed{info.Size(), info.ModTime(), hash}
	return hash, nil
}
