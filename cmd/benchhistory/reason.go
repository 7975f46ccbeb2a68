package main

import (
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// reason is the line of an error that says most: what a compiler or the module proxy said
// first, and not which command it was, nor where it asked.
func reason(err error) string {
	var list []string
	for l := range strings.Lines(err.Error()) {
		if l = strings.TrimSpace(l); l != "" && !aside.MatchString(l) {
			list = append(list, asked.ReplaceAllString(l, ""))
		}
	}
	switch len(list) {
	case 0:
		return foreign.Line(err.Error())
	case 1:
		return foreign.Line(list[0])
	}
	return foreign.Line(list[1])
}

var (
	aside = regexp.MustCompile(`^(#|go: (finding|found|downloading|added|upgraded|downgraded) )`)
	asked = regexp.MustCompile(`(^go: )|(reading https?://\S+: )`)
)
