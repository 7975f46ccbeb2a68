package workshop

import "testing"

func TestLinkersFlagsOfGOFLAGSAreKept(t *testing.T) {
	for goflags, want := range map[string]string{
		"":                              "",
		"-mod=mod -trimpath":            "",
		"-ldflags=-s":                   "-s ",
		"-trimpath '-ldflags=-s -w' -v": "-s -w ",
		`"--ldflags=-s -w"`:             "-s -w ",
		"-ldflags=-s -ldflags=-w":       "-w ",
	} {
		if got := linking(goflags); got != want {
			t.Errorf("GOFLAGS=%s: %q, want %q", goflags, got, want)
		}
	}
}
