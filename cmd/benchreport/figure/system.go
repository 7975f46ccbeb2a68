package figure

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Ranks of variants, as the suite's framework.Rank has them.
const (
	ranked    = "ranked"
	beside    = "beside"    // a ranked framework with another option
	ours      = "ours"      // a framework's protocol, spoken by code of this project
	reference = "reference" // what the others are compared with: raw TCP
)

// Lines before the results in which the suite says what names of lines do not.
const (
	ranksLine    = "rank"        // those that are not ranked, as in "arpc/net/protobuf/tuned=beside tcp=reference"
	versionsLine = "version-key" // the configuration line of a version that has another name, as in "netrpc=go"
)

// order is the place of a rank in tables.
func order(rank string) int { return slices.Index([]string{ranked, beside, ours, reference}, rank) }

// rankOf is the rank of the variant of a line. In a text that does not say it, bytes
// without a serializer are the reference.
func rankOf(l lines.Line) string {
	named, known := l.Config[ranksLine]
	if !known && l.Get("codec") == "none" {
		return reference
	}
	framework := frameworkOf(l.Name)
	rank := cmp.Or(entry(named, variantOf(l.Name)), entry(named, framework), ranked)
	if order(rank) < 0 {
		return ranked // by a word of a later suite
	}
	return rank
}

// variantOf has the values by which the suite names a variant.
func variantOf(n lines.Name) string {
	var values []string
	for _, key := range []string{"framework", "transport", "codec", "profile", "pool", "window"} {
		if value := n.Get(key); value != "" {
			values = append(values, value)
		}
	}
	return strings.Join(values, "/")
}

// entry is the value of a name in "name=value name=value"; "" for none.
func entry(list, name string) string {
	for word := range strings.FieldsSeq(list) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}

// versionOf is the version of a line's framework; "" if it has none of its own.
func versionOf(l lines.Line) string {
	if order(rankOf(l)) > order(beside) {
		return ""
	}
	framework := frameworkOf(l.Name)
	return l.Config[cmp.Or(entry(l.Config[versionsLine], framework), framework)]
}

// rank is read from the first line, since all lines of a variant have the same.
func (v *variant) rank() string { return rankOf(v.lines[0]) }

// rank finds the ranks of the frameworks, each by the first of its lines that does not
// stand beside another.
func (m *material) rank() {
	m.ranks = map[string]string{}
	for _, l := range m.of(ofCalls...) {
		framework := frameworkOf(l.Name)
		if rank := rankOf(l); m.ranks[framework] == "" && rank != beside {
			m.ranks[framework] = rank
		}
	}
}

// rankIn is the rank of a framework in all its lines.
func (m *material) rankIn(framework string) string { return cmp.Or(m.ranks[framework], ranked) }
