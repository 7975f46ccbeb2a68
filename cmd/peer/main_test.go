package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// played is set in processes that act as the command peer.
const played = "PEER_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(played) == "" {
		os.Exit(m.Run())
	}
	main()
}

func TestBadCommandLines(t *testing.T) {
	for _, c := range []struct{ about, args, say string }{
		{"nothing", "", "NAME DIRECTORY BINARY VARIANT are needed, and [] was given; -h says what they are"},
		{"the variant is forgotten", "java dir bin/x.test", `NAME DIRECTORY BINARY VARIANT are needed, and ["java" "dir" "bin/x.test"] was given; -h says what they are`},
		{"a flag of the binary comes first", "-server=x java dir bin/x.test tcp", "unknown flag -server; -h lists the flags, after go test . -args -h"},
		{"a directory for the lines", "-o=. name dir x.test tcp", "-o: . is a directory, not a file"},
		{"a table that is not there", "-table=none.txt", "-table: open none.txt: no such file or directory"},
		{"no file", "-o", "-o needs a value: write -o=…"},
	} {
		t.Run(c.about, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], strings.Fields(c.args)...)
			cmd.Env = append(os.Environ(), played+"=1")
			out, err := cmd.CombinedOutput()
			if want := "peer: " + c.say + "\n"; string(out) != want || err == nil || cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("it says %q and ends with %v, want %q and 2", out, err, want)
			}
		})
	}
}
