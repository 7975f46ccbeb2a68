package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/scratch"
)

// folder has the Unix sockets of servers and the files of proxies. It is made when the first
// is asked for.
type folder struct {
	mu   sync.Mutex
	dir  *scratch.Dir
	last int
}

// longestPath is the longest path of a Unix socket in bytes on all systems: they have room
// for 104 or 108, with a zero at the end.
const longestPath = 103

// next returns a path in it that was not used before.
func (f *folder) next() (path string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dir == nil {
		if f.dir, err = scratch.New(); err != nil {
			return "", err
		}
	}
	f.last++
	return filepath.Join(f.dir.Path, strconv.Itoa(f.last)), nil
}

// socket returns the path of a new Unix socket.
func (f *folder) socket() (string, error) {
	path, err := f.next()
	if err == nil && len(path) > longestPath {
		err = fmt.Errorf("%s is too long for the path of a socket: set TMPDIR to a shorter directory", path)
	}
	return path, err
}

// below returns a new directory in it.
func (f *folder) below() (string, error) {
	path, err := f.next()
	if err == nil {
		err = os.Mkdir(path, 0o700)
	}
	return path, err
}

func (f *folder) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dir.Close()
}
