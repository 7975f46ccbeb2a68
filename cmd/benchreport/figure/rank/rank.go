// Package rank tells how a line's framework is ranked, and which version of it was measured,
// by what the suite prints before its results.
package rank

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Ranks of variants, as the suite's framework.Rank has them.
const (
	Ranked    = "ranked"
	Beside    = "beside"    // a ranked framework with one option changed
	Ours      = "ours"      // a framework's protocol, spoken by code of this project
	Reference = "reference" // raw TCP and its like, to which frameworks are compared
)

// Keys of the configuration lines in which the suite says what names of lines do not.
const (
	Key        = "rank"        // variants that are not ranked, as in "arpc/net/protobuf/tuned=beside tcp=reference"
	VersionKey = "version-key" // frameworks whose version stands under another key, as in "netrpc=go"
)

// Order is the place of a rank in tables, from 0 for Ranked; -1 for an unknown word.
func Order(rank string) int {
	return slices.Index([]string{Ranked, Beside, Ours, Reference}, rank)
}

// Of is the rank of a line's variant. A text of an earlier suite does not say it; there, bytes
// without a serializer are the reference.
func Of(l lines.Line) string {
	named, known := l.Config[Key]
	if !known && l.Get("codec") == "none" {
		return Reference
	}
	rank := cmp.Or(entry(named, Variant(l.Name)), entry(named, Framework(l.Name)), Ranked)
	if Order(rank) < 0 {
		return Ranked // by a word of a later suite
	}
	return rank
}

// Framework is the framework of a line. A benchmark that names none is its own framework.
func Framework(n lines.Name) string { return cmp.Or(n.Get("framework"), n.Base) }

// Variant joins the values by which the suite names a variant.
func Variant(n lines.Name) string {
	var values []string
	for _, key := range []string{"framework", "transport", "codec", "profile", "pool", "window"} {
		if value := n.Get(key); value != "" {
			values = append(values, value)
		}
	}
	return strings.Join(values, "/")
}

// Version is the version of a line's framework; "" for code of this project and for what
// prints no version.
func Version(l lines.Line) string {
	if Order(Of(l)) > Order(Beside) {
		return ""
	}
	framework := Framework(l.Name)
	return l.Config[cmp.Or(entry(l.Config[VersionKey], framework), framework)]
}

// entry is the value of a name in "name=value name=value"; "" if it is not there.
func entry(list, name string) string {
	for word := range strings.FieldsSeq(list) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}
