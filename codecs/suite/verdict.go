package suite

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/proof"
)

// verdicts are what entries do with messages of one's own, by their IDs. An entry is proven
// when it is first asked for.
type verdicts map[string]proof.Verdict

func (e *environment) verdict(entry Entry) proof.Verdict {
	v, found := e.verdicts[entry.ID()]
	if !found {
		v = proof.Of(entry.own(e.sample.Kind()), e.sample)
		if e.verdicts == nil {
			e.verdicts = verdicts{}
		}
		e.verdicts[entry.ID()] = v
	}
	return v
}

// refuses reports whether an entry cannot take the messages of one's own.
func (e *environment) refuses(entry Entry) bool {
	return e.sample != nil && e.verdict(entry).Refuses != ""
}

// notes are lines about the messages of one's own: which serializers, of those that -bench
// selects, refuse them or lose something, and whether the messages are too few or alike.
// benchreport reads them.
func (e *environment) notes() string {
	if e.sample == nil {
		return ""
	}
	var text strings.Builder
	var sizes [][]int
	for _, entry := range e.entries {
		if !selects(testFlag("bench"), entry.Codec) {
			continue
		}
		v := e.verdict(entry)
		if v.Refuses != "" {
			fmt.Fprintf(&text, "# refuses: %s: %s\n", entry.ID(), v.Refuses)
		} else if len(v.Loses) > 0 {
			fmt.Fprintf(&text, "# loses: %s: %s\n", entry.ID(), v.Losses())
		}
		if v.Sizes != nil {
			sizes = append(sizes, v.Sizes)
		}
	}
	if warning := e.sample.Warning(sizes); warning != "" {
		fmt.Fprintf(&text, "# samples: %s\n", warning)
	}
	return text.String()
}

// bracketed is a part of a pattern within which | separates no patterns.
var bracketed = regexp.MustCompile(`\([^()]*\)`)

// selects reports whether a pattern of -bench may select lines of a codec. Of several
// patterns nothing is known.
func selects(bench, codec string) bool {
	elements := strings.Split(bench, "/")
	if len(elements) < 2 || strings.Contains(bracketed.ReplaceAllString(bench, ""), "|") {
		return true
	}
	re, err := regexp.Compile(elements[1])
	return err != nil || re.MatchString("codec="+codec)
}
