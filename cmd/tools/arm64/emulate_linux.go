package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

const binfmt = "/proc/sys/fs/binfmt_misc"

// emulate mounts a binfmt_misc that only this user namespace has, and executes a command in the
// place of this process. Before Linux 6.7 there was one for the whole machine.
func emulate(command []string) error {
	qemu, err := exec.LookPath("qemu-aarch64-static")
	if err != nil {
		return errors.New("there is no qemu-aarch64-static: apt-get install qemu-user-static")
	}
	if err := syscall.Mount("binfmt_misc", binfmt, "binfmt_misc", 0, ""); err != nil {
		return fmt.Errorf("mount binfmt_misc: %w: it takes Linux 6.7, and on Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0", err)
	}
	if err := os.WriteFile(binfmt+"/register", []byte(registration(qemu)), 0); err != nil {
		return fmt.Errorf("register %s: %w", qemu, err)
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		return err
	}
	return syscall.Exec(program, command, os.Environ())
}

// registration tells binfmt_misc that qemu runs programs of arm64. They begin with the header of a
// 64-bit ELF file: little endian, of any system (the seventh byte, which the mask leaves out), type
// 2 or 3 (executables are one or the other) and machine 183. P has qemu pass on a program's name
// for itself, which tests choose. F opens qemu now, so that tests find it under another root.
func registration(qemu string) string {
	magic := []byte{0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 183, 0}
	mask := []byte{255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 255, 254, 255, 255, 255}
	return ":rpcbench-arm64:M::" + escaped(magic) + ":" + escaped(mask) + ":" + qemu + ":PF"
}

// escaped writes bytes as binfmt_misc reads them, of which some would end a field.
func escaped(bytes []byte) string {
	var s strings.Builder
	for _, b := range bytes {
		fmt.Fprintf(&s, `\x%02x`, b)
	}
	return s.String()
}
