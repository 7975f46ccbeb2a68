// Arm64 runs tests that are compiled for linux/arm64, which qemu-user emulates:
//
//	go run -C cmd/tools ./arm64 [DIRECTORY...]
//
// It prints a line for each package, what a test that fails says, and what did not run and why:
// see table_linux.go. DIRECTORY, from the root of the repository, has it test what is below.
// The exit code is 1 if a test fails, and 125 if this machine cannot emulate.
//
// Tests start programs, their own binary among them. So the kernel has to know what runs those
// of arm64: binfmt_misc, in namespaces that end with the tests. The machine does not change.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const (
	root    = "../.." // of the repository, for a command that runs in cmd/tools
	failed  = 1
	lacking = 125         // the exit code if this machine cannot emulate
	within  = "-emulated" // has this program run a command where arm64 is emulated
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("arm64: ")
	if len(os.Args) > 2 && os.Args[1] == within {
		log.Print(emulate(os.Args[2:])) // it returns if it fails
		os.Exit(lacking)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if out, err := emulated(ctx, root, "true").CombinedOutput(); err != nil {
		os.Stderr.Write(out)
		log.Print(err)
		os.Exit(lacking)
	}
	packages, err := listed(root, os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	code := testAll(ctx, packages)
	tellSkipped()
	os.Exit(code)
}

// testAll tests one package after the other: emulation is slow, and tests wait for so long.
func testAll(ctx context.Context, packages []string) (code int) {
	for _, p := range packages {
		began := time.Now()
		out, err := test(ctx, p)
		if ctx.Err() != nil {
			log.Print("interrupted")
			return 130
		}
		verdict := "ok"
		if err != nil {
			verdict, code = "FAILED", failed
			fmt.Printf("%s%v\n", out, err)
		}
		fmt.Printf("%-6s %4.0f s  %s\n", verdict, time.Since(began).Seconds(), p)
	}
	return code
}

// test tests the package of a directory. Without -trimpath, Go would compile anew in each clone.
func test(ctx context.Context, dir string) ([]byte, error) {
	cmd := emulated(ctx, filepath.Join(root, dir), "go", arguments(dir)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off", "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath")
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil && cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what an interrupt did not end
	}
	return out, err
}

// arguments has go test the package of a directory. Tests do not run at the same time, since calls
// have deadlines, which emulation does not stretch. One after the other, all variants of a
// framework would take too long: those that are recommended run.
func arguments(dir string) []string {
	args := []string{"test", "-vet=off", "-count=1", "-parallel=1", "-timeout=30m"}
	if pattern := skipped(dir); pattern != "" {
		args = append(args, "-skip="+pattern)
	}
	args = append(args, ".")
	if _, err := os.Stat(filepath.Join(root, dir, "bench_test.go")); err == nil && filepath.Dir(dir) == "frameworks" {
		args = append(args, "-set=recommended")
	}
	return args
}

// emulated is a command in namespaces of its own, which end with it. There its user is root, since
// only root may mount. An interrupt ends its process group: go test alone would wait for the test.
func emulated(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/proc/self/exe", append([]string{within, program}, args...)...)
	cmd.Dir, cmd.WaitDelay = dir, 10*time.Second
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid:     true,
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	return cmd
}
