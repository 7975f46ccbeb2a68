// Package commands is what users of the programs rely on: their flags, and the exit codes with
// which they end. Both are seen by running the programs.
package commands

import (
	"fmt"
	"regexp"
	"strings"
)

// entry begins what a help says of a flag.
var entry = regexp.MustCompile(`^  -(\S+)(?: (\S+))?(?:$|\s{2,}(.*))`)

// ofDefault is the end of what is said of a flag whose default is not empty.
var ofDefault = regexp.MustCompile(`\((?:default )?([^()]*)\)$`)

// Flags are the flags in a help: each with what it takes and its default. What it is for is
// left out, since words may change.
func Flags(help string) (list []string) {
	var head, about string
	add := func() {
		if head == "" {
			return
		}
		if d := ofDefault.FindStringSubmatch(about); d != nil {
			head += " = " + d[1]
		}
		list, head, about = append(list, head), "", ""
	}
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		if e := entry.FindStringSubmatch(line); e != nil {
			add()
			head, about = strings.TrimSpace(fmt.Sprintf("-%s %s", e[1], e[2])), e[3]
			continue
		}
		if !strings.HasPrefix(line, "    ") { // the end of an entry
			add()
		}
		about = strings.TrimSpace(about + " " + strings.TrimSpace(line))
	}
	add()
	return list
}
