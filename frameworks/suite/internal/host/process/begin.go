// Package process starts processes that end with this one, and tells and controls what they
// do.
package process

import (
	"os"
	"os/exec"
	"runtime"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/cpus"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
)

// Place says where a process runs. The zero value stands for the CPUs and the
// network of this process.
type Place struct {
	// CPUs are those that it may use; if empty, those of this process.
	CPUs cpus.Set
	// Inside calls start in another network; nil stands for that of this process.
	Inside func(start func() error) error
}

// Begin starts a process on the CPUs and in the network of this one, see Place.Begin.
func Begin(cmd *exec.Cmd) (wait func() error, err error) { return Place{}.Begin(cmd) }

// Begin starts a process that ends with this one, however this one ends: on Linux the
// kernel kills it. wait is cmd.Wait, to be called once. Without cmd.Env the process has the
// environment of environ.Child.
//
// The process inherits the CPUs of the thread that starts it, and the kernel kills it when
// that thread ends. The thread therefore stays locked until the process has ended, and ends
// with its goroutine.
func (p Place) Begin(cmd *exec.Cmd) (wait func() error, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = childAttributes()
	}
	if cmd.Env == nil {
		cmd.Env = environ.Child(os.Environ())
	}
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		err := p.start(cmd)
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return func() error { return <-ended }, <-started
}

// start starts cmd from the calling thread, which it pins.
func (p Place) start(cmd *exec.Cmd) error {
	if err := cpus.PinThread(p.CPUs); err != nil {
		return err
	}
	if p.Inside != nil {
		return p.Inside(cmd.Start)
	}
	return cmd.Start()
}
