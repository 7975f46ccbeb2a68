// Package links has the tests of a command link each test binary once. The command finds
// a go of this package in PATH, which keeps what go test -c makes and gives it again for
// the same source, flags and settings. All else is go's.
package links

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// envDir names the directory of what is kept, and envGo the go that makes it.
const (
	envDir = "RPCBENCH_TEST_LINKS"
	envGo  = "RPCBENCH_TEST_GO"
)

// Play plays go, and does not return, in a process that was started under that name with
// the environment of Env. TestMain begins with it.
func Play() {
	if dir := os.Getenv(envDir); dir != "" && filepath.Base(os.Args[0]) == name() {
		os.Exit(play(dir, os.Args[1:]))
	}
}

// Install makes the go of this package in dir, where what was linked is kept as well.
func Install(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bin := filepath.Join(dir, "go")
	return errors.Join(os.Mkdir(bin, 0o700), os.Symlink(self, filepath.Join(bin, name())))
}

// name returns the file name of the go command.
func name() string {
	if runtime.GOOS == "windows" {
		return "go.exe"
	}
	return "go"
}

// Env are variables with which a process and its children find the go that Install made in
// dir. The PATH of the tests alone has the real one again.
func Env(dir string) []string {
	real, _ := exec.LookPath("go")
	path := filepath.Join(dir, "go") + string(filepath.ListSeparator) + os.Getenv("PATH")
	return []string{envDir + "=" + dir, envGo + "=" + real, "PATH=" + path}
}

// play runs go with the arguments, or copies what it made of the same before.
func play(dir string, args []string) (code int) {
	at := slices.Index(args, "-o") + 1
	if !slices.Contains(args, "-c") || at == 0 || os.Getenv("GOWORK") != "off" {
		return run(args)
	}
	made, err := key(append(slices.Clone(args[:at]), args[at+1:]...))
	if err != nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		return 3
	}
	kept := filepath.Join(dir, made)
	if copyFile(kept, args[at]) == nil {
		return 0
	}
	if code = run(args); code == 0 {
		keep(args[at], kept)
	}
	return code
}

// keep keeps a binary, if there is one: a package without tests has none. Others of the
// same name find all of it or nothing.
func keep(binary, kept string) {
	own := fmt.Sprintf("%s.%d", kept, os.Getpid())
	if err := copyFile(binary, own); err == nil {
		_ = os.Rename(own, kept)
	}
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// run runs the real go, with the environment as it is: what the command chose is tested.
func run(args []string) (code int) {
	cmd := exec.Command(os.Getenv(envGo), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, "links:", err)
		return 3
	}
	return cmd.ProcessState.ExitCode()
}

// key is a name for all that go test -c here depends on: the arguments, go's variables,
// the place in the repository, and the repository's files that go reads.
func key(args []string) (string, error) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q\n", args, settings(os.Environ()))
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	root := repository(here)
	below, err := filepath.Rel(root, here)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(hash, "%s\n", below)
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == ".git" && entry.IsDir() {
			return filepath.SkipDir
		}
		if err != nil || !entry.Type().IsRegular() || !reads(entry.Name()) {
			return err
		}
		text, err := os.ReadFile(file)
		name, _ := filepath.Rel(root, file)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(text), text)
		return err
	})
	return fmt.Sprintf("%x", hash.Sum(nil)), err
}

// settings are the variables of the environment that go builds by.
func settings(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		return !strings.HasPrefix(entry, "GO") && !strings.HasPrefix(entry, "CGO_")
	})
	slices.Sort(env)
	return append(env, runtime.Version())
}

// repository is the nearest directory above with a .git, or dir itself.
func repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// reads reports whether go reads a file of this name. Embedded files of other names are
// not told apart; no test changes one.
func reads(name string) bool {
	return slices.Contains([]string{".go", ".mod", ".sum", ".s", ".c", ".h"}, filepath.Ext(name))
}
