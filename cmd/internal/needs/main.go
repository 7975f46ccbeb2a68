// Needs says what does not run here, and which packages of Debian it takes.
//
//	go run ./internal/needs [-packages | -install | STEP]
//
// It prints a line for each program that is missing, of a STEP such as "make test" or
// of all; with -packages it prints the packages alone, and with -install it installs
// them. The exit code is 1 if they cannot be installed.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// need is a program that a step takes.
type need struct {
	program, packages string // one of several programs, if one will do; the first is Debian's
	step, part        string // what of the step does not run; "" is all of it
}

var needs = [...]need{
	{"cc", "gcc libc6-dev", "make race", ""},
	{"initdb", "postgresql", "make test", "the workload db with PostgreSQL"},
	{"slurmctld", "slurmctld slurmd slurm-client munge", "make check/slurm", ""},
	{"qemu-system-x86_64", "qemu-system-x86", "make check/kernels", ""},
	{"dpkg-deb", "dpkg", "make check/kernels", ""}, // unpacks a kernel, which is not installed
	{"qemu-aarch64-static", "qemu-user-static", "make thorough/arm64", ""},
	{"iperf3", "iperf3", "make test", "the row of iperf3 in Bulk"},
	{"python3", "python3 python3-venv", "make test", "a server in Python"},
	{"node", "nodejs", "make test", "a server in JavaScript"},
	{"chromium chromium-browser google-chrome google-chrome-stable", "chromium fonts-dejavu-core", "make test", "the report in a browser"},
	{"java", "default-jdk-headless", "make peers", "servers in Java"},
	{"mvn", "maven", "make peers", "servers in Java"},
	{"npm", "npm", "make peers", "servers in JavaScript"},
	{"python3", "python3 python3-venv", "make peers", "servers in Python"},
}

func main() {
	step := strings.Join(os.Args[1:], " ")
	switch all := packages(missing("")); {
	case step == "-packages":
		fmt.Println(strings.Join(all, " "))
		return
	case step == "-install":
		if err := install(all); err != nil {
			fmt.Fprintln(os.Stderr, "needs:", err)
			os.Exit(1)
		}
		return
	}
	without := missing(step)
	for _, n := range without {
		fmt.Println("did not run: " + n.String())
	}
	if (step == "" || step == "make test") && !networks() {
		fmt.Println("did not run: make test: networks with delay and loss: unshare may not make one (Ubuntu: sysctl kernel.apparmor_restrict_unprivileged_userns=0)")
	}
	if len(without) > 0 {
		fmt.Println("to have it run: apt-get install " + strings.Join(packages(without), " "))
	}
}

// install installs packages of Debian, by sudo if that takes another user.
func install(packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	for _, args := range [][]string{{"update", "-qq"}, append([]string{"install", "-y", "-qq", "--no-install-recommends"}, packages...)} {
		args = append([]string{"env", "DEBIAN_FRONTEND=noninteractive", "apt-get"}, args...)
		if os.Getuid() != 0 {
			args = append([]string{"sudo"}, args...)
		}
		apt := exec.Command(args[0], args[1:]...)
		apt.Env = environ.Tools(os.Environ())
		if out, err := apt.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	return nil
}

// missing are the programs that are not here.
func missing(step string) (list []need) {
	for _, n := range needs {
		if (step == "" || step == n.step) && !n.here() {
			list = append(list, n)
		}
	}
	return list
}

func (n need) here() bool { return slices.ContainsFunc(strings.Fields(n.program), installed) }

// installed looks in PATH and where Debian has PostgreSQL's.
func installed(program string) bool {
	_, err := exec.LookPath(program)
	postgres, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + program)
	return err == nil || len(postgres) > 0
}

// networks reports whether this user may have a network of its own, which is no matter of
// packages.
func networks() bool {
	for _, args := range [][]string{{"--net", "true"}, {"--net", "--user", "--map-root-user", "true"}} {
		unshare := exec.Command("unshare", args...)
		unshare.Env = environ.Tools(os.Environ())
		if unshare.Run() == nil {
			return true
		}
	}
	return false
}

func (n need) String() string {
	return fmt.Sprintf("%s: there is no %s", strings.Trim(n.step+": "+n.part, ": "), strings.Fields(n.program)[0])
}

func packages(of []need) (list []string) {
	for _, n := range of {
		list = append(list, strings.Fields(n.packages)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
