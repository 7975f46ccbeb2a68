//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
)

// TestAsked: a server that takes minutes to build is left out unless its variable asks for it.
// What is wrong with the variable is told before anything is built.
func TestAsked(t *testing.T) {
	const (
		server = "#!/bin/sh\necho \"ready $1\"\ncat >/dev/null\n"
		binary = "#!/bin/sh\necho \"lines of $1\"\n"
		cargo  = "#!/bin/sh\nfor last; do :; done\nmkdir -p \"${last#--target-dir=}/release\" && cp server \"${last#--target-dir=}/release/peer\"\n"
		cmake  = "#!/bin/sh\nmkdir -p \"$6\"\nfor last; do :; done\necho \"${last#-DBRPC=}\" >\"$6/brpc\"\n"
		maker  = "#!/bin/sh\ntest -e \"$2/brpc\" && cp server \"$2/peer\"\n"
		ran    = "# conformance: peer=name\nlines of -test.run=^TestConformance$\nlines of -test.run=^$\n"
	)
	for _, c := range []struct {
		about, file, env string
		more             map[string]string
		say              string
		code             int
	}{
		{"Rust", "Cargo.toml", "TONIC=1", map[string]string{"cargo": cargo}, ran, 0},
		{"Rust that nobody asks for", "Cargo.toml", "", map[string]string{"cargo": cargo}, "# skipped: peer=name: its build takes minutes: make peers TONIC=1 has it\n", 0},
		{"Rust asked for by another word", "Cargo.toml", "TONIC=please", map[string]string{"cargo": cargo}, "peer: TONIC=please: it can be 1 alone\n", 2},
		{"Rust without a compiler", "Cargo.toml", "TONIC=1", nil, "# skipped: peer=name: there is no cargo: install Rust and Cargo\n", 0},
		{"Rust whose packages cannot be had", "Cargo.toml", "TONIC=1", map[string]string{"cargo": "#!/bin/sh\necho 'error: failed to download from x' >&2\nexit 101\n"}, "# skipped: peer=name: its packages cannot be had: failed to download from x\n", 0},
		{"Rust that does not compile", "Cargo.toml", "TONIC=1", map[string]string{"cargo": "#!/bin/sh\necho 'error[E0425]' >&2\nexit 101\n"}, "peer: name: build: cargo: exit status 101\n\terror[E0425]\n", 1},
		{"C++", "CMakeLists.txt", "BRPC=DIR", map[string]string{"src/brpc/server.h": "", "cmake": cmake, "make": maker, "c++": server, "protoc": server}, ran, 0},
		{"C++ that nobody asks for", "CMakeLists.txt", "", nil, "# skipped: peer=name: its build takes minutes: make peers BRPC=path has it, with the path of the sources of apache/brpc\n", 0},
		{"a directory without the sources", "CMakeLists.txt", "BRPC=/dev", nil, "peer: BRPC=/dev has no src/brpc/server.h: it must be the directory of the sources of apache/brpc\n", 2},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := tools(t, map[string]string{"binary": binary, "server": server, c.file: ""})
			if err := os.Remove(filepath.Join(dir, "pom.xml")); err != nil {
				t.Fatal(err)
			}
			for name, text := range c.more {
				write(t, filepath.Join(dir, name), text)
			}
			cmd := exec.CommandContext(t.Context(), os.Args[0], "name", dir, filepath.Join(dir, "binary"), "framework=x")
			cmd.Env = append(environ.Measured(os.Environ()), played+"=1", "TONIC=", "BRPC=", "HOME="+dir, "XDG_CACHE_HOME="+dir, strings.Replace(c.env, "DIR", dir, 1), "PATH="+path(t, dir, "sh", "mkdir", "cp", "cat"))
			out, _ := cmd.CombinedOutput() // the code tells
			if code := cmd.ProcessState.ExitCode(); code != c.code || string(out) != c.say {
				t.Errorf("exit code %d, want %d and %q: %q", code, c.code, c.say, out)
			}
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// path is a PATH with a directory and these programs of /bin. The compilers of the machine are
// not in it.
func path(t *testing.T, dir string, programs ...string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range programs {
		if err := os.Symlink("/bin/"+name, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir + ":" + bin
}
