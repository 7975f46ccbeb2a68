//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// follow runs a command in the place of this process, which then gets its signals.
func follow(args []string) error {
	program, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	return syscall.Exec(program, args, os.Environ())
}
