// Package scratch makes directories that only this user may enter, and that are gone when
// this process has ended, however it ends.
package scratch

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Dir is a directory. A process of its own, the keeper, removes it when the Dir is closed
// or when this process is gone, whichever comes first: a process that is killed removes
// nothing itself.
type Dir struct {
	Path     string // absolute
	lifeline io.Closer
	gone     chan struct{} // closed when the keeper has ended
}

// New makes an empty directory in the one for temporary files.
func New() (*Dir, error) {
	path, err := os.MkdirTemp("", "rpcbench-") // of mode 0700
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return nil, fmt.Errorf("no directory for temporary files: %w", err)
	}
	d, err := keep(path)
	if err != nil {
		os.Remove(path)
		return nil, fmt.Errorf("no process that removes %s at the end: %w", path, err)
	}
	return d, nil
}

// keeper waits for the end of its input, which comes when no process has the other end of
// the pipe any more.
const keeper = `trap '' HUP INT TERM; read -r _; rm -rf -- "$1"`

func keep(path string) (*Dir, error) {
	cmd := exec.Command("/bin/sh", "-c", keeper, "rpcbench-keeper", path)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.Dir = "/"
	cmd.SysProcAttr = apart()
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	d := &Dir{Path: path, lifeline: lifeline, gone: make(chan struct{})}
	go func() {
		defer close(d.gone)
		_ = cmd.Wait() // the directory tells whether it was removed
	}()
	return d, nil
}

// patience bounds how long Close waits for the keeper.
const patience = 5 * time.Second

// Close removes the directory with all that is in it. Close of a nil Dir does nothing, and
// so does a second one.
func (d *Dir) Close() error {
	if d == nil {
		return nil
	}
	d.lifeline.Close()
	select {
	case <-d.gone:
	case <-time.After(patience):
	}
	return os.RemoveAll(d.Path) // if the keeper could not
}
