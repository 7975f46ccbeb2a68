package host

import (
	"os"
	"os/exec"
	"runtime"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/host/environ"
)

// Begin starts a process that ends with this one, however this one ends: on Linux the
// kernel kills it. wait is cmd.Wait, to be called once.
func Begin(cmd *exec.Cmd) (wait func() error, err error) { return BeginOn(nil, cmd) }

// BeginnerOn returns BeginOn for these CPUs.
func BeginnerOn(cpus CPUSet) func(cmd *exec.Cmd) (wait func() error, err error) {
	return func(cmd *exec.Cmd) (func() error, error) { return BeginOn(cpus, cmd) }
}

// BeginOn is Begin of a process that runs on these CPUs; none stand for those of this
// process. Without cmd.Env the process has the environment of environ.Child.
func BeginOn(cpus CPUSet, cmd *exec.Cmd) (wait func() error, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = childAttr()
	}
	if cmd.Env == nil {
		cmd.Env = environ.Child(os.Environ())
	}
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // until the process has ended, and its thread with it, see Host.run
		err := pinThread(cpus)
		if err == nil {
			err = cmd.Start()
		}
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return func() error { return <-ended }, <-started
}

// CPUOf returns the user and system time that a process has used so far. Only Linux tells
// it.
func CPUOf(pid int) (time.Duration, error) { return processCPU(pid) }
