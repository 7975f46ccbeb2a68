package host

import (
	"os/exec"
	"runtime"
)

// Begin starts a process that ends with this one, however this one ends: on Linux the
// kernel kills it. wait is cmd.Wait, to be called once.
func Begin(cmd *exec.Cmd) (wait func() error, err error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = childAttr()
	}
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		runtime.LockOSThread() // until the process has ended, see Host.run
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
	}()
	return func() error { return <-ended }, <-started
}
