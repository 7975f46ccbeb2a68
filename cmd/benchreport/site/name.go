package site

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// frameworkOf is the framework of a case; of a case without one it is its codec.
func frameworkOf(n lines.Name) string {
	return cmp.Or(n.Get("framework"), n.Get("codec"), "none")
}

// caseOf says what was called, as in "Echo, 1KiB, 100 callers".
func caseOf(n lines.Name) string {
	list := []string{n.Base}
	for _, k := range n.Keys {
		switch k.Key {
		case "framework", "transport", "codec", "":
		case "size", lines.ApartKey:
			list = append(list, k.Value)
		case "conc":
			list = append(list, k.Value+" "+plural(k.Value == "1", "caller"))
		default:
			list = append(list, k.Key+" "+k.Value)
		}
	}
	return strings.Join(list, ", ")
}

// variantOf says how a framework was set up, as in "h2, protobuf".
func variantOf(n lines.Name) string {
	var list []string
	for _, k := range n.Keys {
		if k.Key == "transport" || k.Key == "codec" || k.Key == "" {
			list = append(list, k.Value)
		}
	}
	return strings.Join(list, ", ")
}

// fullCase is a case with its variant.
func fullCase(n lines.Name) string {
	if v := variantOf(n); v != "" {
		return caseOf(n) + " (" + v + ")"
	}
	return caseOf(n)
}

// short is a version without its module, and a commit's first digits.
func short(version string) string {
	if _, after, found := strings.Cut(version, "@"); found {
		return after
	}
	return version
}

func plural(one bool, noun string) string {
	if one {
		return noun
	}
	return noun + "s"
}

// amount is a number with its noun.
func amount(n int, noun string) string { return strconv.Itoa(n) + " " + plural(n == 1, noun) }

func itoa(n int) string { return strconv.Itoa(n) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// slugs are names of files that are taken, each with the number of the last like it.
type slugs map[string]int

// page is the file of a name: letters of other alphabets, and whatever a link cannot
// have, become a dash.
func (s slugs) page(kind, name string) string {
	return s.unique(kind+"-"+slugOf(name)) + ".html"
}

// unique returns a slug, with a number if it is taken, and takes it.
func (s slugs) unique(slug string) string {
	unique := slug
	for s[unique] > 0 {
		s[slug]++
		unique = slug + "-" + itoa(s[slug])
	}
	s[unique] = 1
	return unique
}

func slugOf(name string) string {
	slug := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return slug[:min(len(slug), 80)]
}
