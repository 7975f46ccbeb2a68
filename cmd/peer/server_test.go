package main

import (
	"net"
	"strings"
	"testing"
)

// shell is a server as a shell script: $0 is its port.
func shell(script string) []string { return []string{"-c", script} }

func TestStart(t *testing.T) {
	for _, row := range []struct{ about, script, want string }{
		{"it is ready, and ends with its input", "echo starting; echo ready $0; cat >/dev/null", ""},
		{"it ends before, and what it said last is told", "echo no such class >&2", "no such class"},
		{"without commands to the terminal", "printf 'no such\\033[2J class\\rforged' >&2", "\n\tno such\\x1b[2J class\\rforged"},
		{"ready on another port is not ready", "echo ready 1", "ended before it was ready"},
	} {
		t.Run(row.about, func(t *testing.T) {
			s, err := start(t.Context(), "", "sh", shell(row.script)...)
			if row.want != "" {
				if err == nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("got error %v, want one with %q", err, row.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if host, _, err := net.SplitHostPort(s.addr); err != nil || host != "127.0.0.1" {
				t.Errorf("it is at %s", s.addr)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTail(t *testing.T) {
	var last tail
	for range 3 {
		last.Write([]byte(strings.Repeat("x", lastOutput)))
	}
	last.Write([]byte("end"))
	if got := string(last); len(got) != lastOutput || !strings.HasSuffix(got, "xend") {
		t.Errorf("kept %d bytes, the last are %q", len(got), got[len(got)-4:])
	}
}
