package main

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A build that takes long tells what its tool said last, a line each half minute.
func TestTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said told
		var out strings.Builder
		over := make(chan struct{})
		time.AfterFunc(70*time.Second, func() { close(over) })
		for n := range 7 {
			time.AfterFunc(time.Duration(n)*10*time.Second+1, func() { fmt.Fprintf(&said, "[%d0 %%]\x1b[2J Building\nwarning: old\n", n) })
		}
		said.tell(&out, "dir", over)
		const want = "peer: building dir for 30s: [20 %]\\x1b[2J Building\npeer: building dir for 1m0s: [50 %]\\x1b[2J Building\n"
		if out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
	})
}
