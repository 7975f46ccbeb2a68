package workloads

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// write writes a file at each call and reads it back. No call waits for a disk: the
// kernel's page cache takes the bytes, and nothing is synced.
func write() workload.Workload {
	return workload.Workload{
		Name: "write", About: "writes a file in a temporary directory, and reads it back",
		Flag: "write", Default: "4KiB", Usage: "how much workload=write writes, in KiB, MiB or GiB",
		Start: startWrite,
	}
}

func startWrite(option string) (workload.Work, error) {
	n, err := parseBytes("write", option)
	if err != nil {
		return workload.Work{}, err
	}
	dir, err := os.MkdirTemp("", "rpcbench-write-")
	if err != nil {
		return workload.Work{}, fmt.Errorf("workload=write: %w", err)
	}
	w := &writer{dir: dir, size: n}
	if err := w.do(); err != nil {
		return workload.Work{}, errors.Join(fmt.Errorf("workload=write: %w", err), w.close())
	}
	return workload.Work{Do: w.do, Close: w.close, Setup: option + " in the directory for temporary files"}, nil
}

// writer has a file for each call under way, since two calls must not write to one.
type writer struct {
	dir  string
	size int

	calls  sync.RWMutex // calls under way read-lock it
	closed bool

	mu   sync.Mutex
	free []*scratch
	made int
}

// scratch is a file, with what was written to it last.
type scratch struct {
	path   string
	text   []byte
	writes uint64
}

// errEnded is returned for a call that comes after the end.
var errEnded = errors.New("workload=write has ended")

func (w *writer) do() error {
	w.calls.RLock()
	defer w.calls.RUnlock()
	if w.closed {
		return errEnded
	}
	s := w.take()
	defer w.give(s)
	return s.write()
}

func (w *writer) take() *scratch {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.free) - 1; last >= 0 {
		s := w.free[last]
		w.free = w.free[:last]
		return s
	}
	w.made++
	return &scratch{path: filepath.Join(w.dir, strconv.Itoa(w.made)), text: make([]byte, w.size)}
}

func (w *writer) give(s *scratch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free = append(w.free, s)
}

// write writes another text than the last time, so that a read of old bytes is found.
func (s *scratch) write() error {
	s.writes++
	copy(s.text, strconv.AppendUint(nil, s.writes, 10))
	if err := os.WriteFile(s.path, s.text, 0o600); err != nil {
		return err
	}
	got, err := os.ReadFile(s.path)
	if err == nil && !bytes.Equal(got, s.text) {
		err = message.ErrWrong
	}
	return err
}

// close waits for the calls under way and removes the directory.
func (w *writer) close() error {
	w.calls.Lock()
	defer w.calls.Unlock()
	w.closed = true
	return os.RemoveAll(w.dir)
}
