package status

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLine(t *testing.T) {
	for _, c := range []struct {
		about          string
		do             func(*Line)
		terminal, file string // what it gets; < stands for what erases a line
	}{
		{"nothing", func(l *Line) { l.Clear() }, "", ""},
		{"a text takes the place of the one before", func(l *Line) { l.Show("a"); l.Show("b"); l.Clear() }, "<a<b<", ""},
		{"lines that stay erase it first", func(l *Line) { l.Show("a"); fmt.Fprintln(l, "x"); fmt.Fprintln(l, "y") }, "<a<x\ny\n", "x\ny\n"},
		{"what is said is a line of a file", func(l *Line) { l.Say("a"); l.Show("b"); l.Say("c") }, "<a<b<c", "a\nc\n"},
		{"a step is a line of a file", func(l *Line) { l.Begin("a"); l.End(", done") }, "<a<", "a, done\n"},
		{"a text during a step is none", func(l *Line) { l.Begin("a"); l.Show("b"); l.End(", done") }, "<a<b<", "a, done\n"},
		{"lines during a step end its line", func(l *Line) { l.Begin("a"); fmt.Fprintln(l, "x"); l.End(", done") }, "<a<x\n", "a\nx\n"},
		{"a step behind another", func(l *Line) { l.Begin("a"); l.Begin("b"); l.Clear() }, "<a<b<", "a\nb\n"},
		{"a long text is cut, and leaves room for ^C", func(l *Line) { l.Show("0123456789") }, "<012345…", ""},
		{"a step of a file is not", func(l *Line) { l.Begin("0123456789") }, "<012345…", "0123456789"},
		{"characters count, and not their bytes", func(l *Line) { l.Show("ééééééé") }, "<ééééééé", ""},
	} {
		var terminal, file strings.Builder
		c.do(ToTerminal(&terminal, func() int { return 10 }))
		c.do(ToFile(&file))
		assert.Equal(t, c.terminal, strings.ReplaceAll(terminal.String(), erase, "<"), c.about)
		assert.Equal(t, c.file, file.String(), c.about)
	}
}

func TestCut(t *testing.T) {
	for most, want := range map[int]string{-1: "", 0: "", 1: "…", 4: "ab…", 5: "ab c…", 6: "ab cde"} {
		assert.Equal(t, want, cut("ab cde", most), "%d characters", most)
	}
}

func TestDownloads(t *testing.T) {
	var terminal strings.Builder
	d := Downloads{Line: ToTerminal(&terminal, func() int { return 80 }), Step: "building x"}
	for _, said := range []string{"go: downloading a.b/c v1.2.3\ngo: down", "loading d\x1b[2J v1.0.0\nld: warning\n", strings.Repeat("long", 2000), "\ngo: downloading e v1.0.0\n"} {
		n, err := d.Write([]byte(said))
		assert.Equal(t, len(said), n)
		assert.NoError(t, err)
	}
	assert.Equal(t, `<building x: downloading a.b/c<building x: downloading d\x1b[2J<building x: downloading e`,
		strings.ReplaceAll(terminal.String(), erase, "<"))
}
