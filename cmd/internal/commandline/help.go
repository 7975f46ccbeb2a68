package commandline

import (
	"flag"
	"fmt"
	"slices"
	"strings"
)

// Subject is a part of the help: what its flags are about, and their names.
type Subject struct {
	Title string
	Flags []string
}

// Help describes the flags by subject. Those of no subject come last, those of
// package testing are left out.
func Help(fs *flag.FlagSet, subjects ...Subject) string {
	var text strings.Builder
	for _, s := range append(subjects, Subject{"More", others(fs, subjects)}) {
		if len(s.Flags) == 0 {
			continue
		}
		if len(subjects) > 0 {
			fmt.Fprintf(&text, "\n%s\n", s.Title)
		}
		for _, name := range s.Flags {
			text.WriteString(entry(fs.Lookup(name)))
		}
	}
	return text.String()
}

// others are the flags of no subject.
func others(fs *flag.FlagSet, subjects []Subject) (names []string) {
	fs.VisitAll(func(f *flag.Flag) {
		has := func(s Subject) bool { return slices.Contains(s.Flags, f.Name) }
		if !strings.HasPrefix(f.Name, ofTesting) && !slices.ContainsFunc(subjects, has) {
			names = append(names, f.Name)
		}
	})
	return names
}

// A line of an entry is at most so wide, and what it says of the flag begins at
// this column.
const (
	width  = 90
	column = 28
)

// entry is a flag, what it takes and what it is for, with its default.
func entry(f *flag.Flag) string {
	kind, usage := flag.UnquoteUsage(f)
	head := strings.TrimRight(fmt.Sprintf("  -%s %s", f.Name, kind), " ")
	if !slices.Contains([]string{"", "0", "0s", "false"}, f.DefValue) {
		usage += " (" + f.DefValue + ")"
	}
	var text strings.Builder
	if len(head) >= column {
		text.WriteString(head + "\n")
		head = ""
	}
	for _, line := range Wrapped(usage, width-column) {
		fmt.Fprintf(&text, "%-*s%s\n", column, head, line)
		head = ""
	}
	return text.String()
}

// Wrapped cuts text into lines of at most that number of letters, where a word is no
// longer than that.
func Wrapped(text string, most int) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if line != "" && len([]rune(line+" "+word)) > most {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}
