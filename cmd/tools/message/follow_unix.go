//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// follow runs a command in the place of this process, which then gets its signals and has
// the directory until it ends.
func follow(d *cache.Directory, args []string) (int, error) {
	program, err := exec.LookPath(args[0])
	if err != nil {
		return failed, err
	}
	if err := d.Inherit(); err != nil {
		return failed, err
	}
	return failed, syscall.Exec(program, args, os.Environ())
}
