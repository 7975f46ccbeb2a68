// Package fact sorts the configuration lines of results into what was measured when and
// where, versions and settings.
package fact

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/rank"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// Fact is a configuration line; several values are joined by "and".
type Fact struct{ Key, Value string }

// InBrief reports whether it stands above a report; what else was measured where is at its foot.
func (f Fact) InBrief() bool {
	return slices.Contains([]string{"date", "commit", "cpu", "goos", "go"}, f.Key)
}

// Facts are the configuration lines of results.
type Facts struct {
	Measured []Fact // machine, date and commit
	Settings []Fact
	Versions []Fact
}

var (
	measuredKeys = slices.Concat([]string{"date", "commit", "cpu"}, lines.Machine(), []string{"goos", "goarch", "go", "goexperiment"})
	version      = regexp.MustCompile(`^v\d`)
)

// Of sorts the configuration of some lines.
func Of(list []lines.Line) (f Facts) {
	values, known := map[string][]string{}, seen.Texts{}
	for _, l := range list {
		for key, value := range l.Config {
			if known.IsNew(key + ": " + value) {
				values[key] = append(values[key], value)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		one := Fact{key, strings.Join(values[key], " and ")}
		switch {
		case slices.Contains([]string{"pkg", rank.Key, rank.VersionKey}, key):
		case slices.Contains(measuredKeys, key):
			f.Measured = append(f.Measured, one)
		case lines.FieldOf(key, values[key][0]) == lines.Versions:
			f.Versions = append(f.Versions, one)
		default:
			f.Settings = append(f.Settings, one)
		}
	}
	place := func(f Fact) int { return slices.Index(measuredKeys, f.Key) }
	slices.SortFunc(f.Measured, func(a, b Fact) int { return cmp.Compare(place(a), place(b)) })
	return f
}

// Measured are the machine, date and commit of some lines.
func Measured(list []lines.Line) []Fact { return Of(list).Measured }

// OfRecord are the machine and the commit of a record's lines, one at least, with the day of
// its run.
func OfRecord(list []lines.Line) []Fact {
	facts := Measured(list)
	if day := list[0].Config["run"]; len(day) >= len("20260102") {
		facts = append([]Fact{{"date", day[:4] + "-" + day[4:6] + "-" + day[6:8]}}, facts...)
	}
	return facts
}

// IsVersion reports whether a text is a version of a module.
func IsVersion(text string) bool { return version.MatchString(text) }

// Differences are sentences that say in which of the fields lines differ that stand side by
// side.
func Differences(list []lines.Line, fields ...lines.Field) (sentences []string) {
	for _, d := range (lines.Rule{Fields: fields}).Differences(list) {
		was, now := d.Both()
		text := "%s was %s in some lines and %s in others, and their figures stand side by side"
		if d.Field == lines.Versions {
			text = "%s was measured in version %s and %s, and their figures stand side by side"
		}
		sentences = append(sentences, fmt.Sprintf(text, d.Key, was, now))
	}
	return sentences
}
