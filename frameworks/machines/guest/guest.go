// Package guest is the first process of a small virtual machine. A test tells it over a serial
// line, by net/rpc, which programs to run.
package guest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Host is what a machine is in its network.
type Host struct{ Name, Addr string }

// File is copied into a machine, or out of it.
type File struct {
	Path    string
	Content []byte
}

// From is a place in what a program prints: the serial line is slow.
type From struct{ Program, Byte int }

// Said is what a program has printed from there on, and its exit code once it has ended.
type Said struct {
	Text  string
	Ended bool
	Code  int
}

// Agent has the methods that a test calls.
type Agent struct {
	mu       sync.Mutex
	programs []*program
}

// program is one that runs, or that ran.
type program struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	said Said
	text bytes.Buffer
}

// Write implements io.Writer.
func (p *program) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

// Start starts a program, and returns the number by which it is known.
func (a *Agent) Start(args []string, number *int) error {
	p := &program{cmd: exec.Command(args[0], args[1:]...)}
	p.cmd.Stdout, p.cmd.Stderr = p, p
	if err := p.cmd.Start(); err != nil {
		return err
	}
	go p.await()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.programs = append(a.programs, p)
	*number = len(a.programs) - 1
	return nil
}

func (p *program) await() {
	_ = p.cmd.Wait() // the code tells
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.Ended, p.said.Code = true, p.cmd.ProcessState.ExitCode()
}

// Said returns what a program has said.
func (a *Agent) Said(from From, said *Said) error {
	a.mu.Lock()
	p := a.programs[from.Program]
	a.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	*said = p.said
	said.Text = p.text.String()[min(from.Byte, p.text.Len()):]
	return nil
}

// Write writes a file.
func (a *Agent) Write(f File, _ *bool) error {
	return cmp.Or(os.MkdirAll(filepath.Dir(f.Path), 0o700), os.WriteFile(f.Path, f.Content, 0o600))
}

// Read returns the files of a pattern.
func (a *Agent) Read(pattern string, files *[]File) error {
	paths, err := filepath.Glob(pattern)
	for _, path := range paths {
		content, failed := os.ReadFile(path)
		err = errors.Join(err, failed)
		*files = append(*files, File{path, content})
	}
	return err
}

// Children returns the processes that a program has started, by their ids. Threads of
// the program that end meanwhile are left out.
func (a *Agent) Children(number int, ids *string) error {
	a.mu.Lock()
	pid := a.programs[number].cmd.Process.Pid
	a.mu.Unlock()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		text, failed := os.ReadFile(task)
		if !errors.Is(failed, fs.ErrNotExist) && !errors.Is(failed, syscall.ESRCH) {
			err = errors.Join(err, failed)
		}
		*ids += string(text)
	}
	return err
}

// Gone waits until a process is there no more, and returns how long that took.
func (a *Agent) Gone(id string, took *time.Duration) error {
	began := time.Now()
	for there := error(nil); there == nil; time.Sleep(100 * time.Millisecond) {
		_, there = os.Stat("/proc/" + id)
	}
	*took = time.Since(began)
	return nil
}
