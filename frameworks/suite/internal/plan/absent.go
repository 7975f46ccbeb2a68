package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// absence is what there is no line of, and why.
type absence struct {
	notes   []string          // on what was not asked for
	skipped []string          // why lines are missing that were asked for
	lacking map[string]string // Feature of cases → why they were left out
}

// note says something of what was not asked for.
func (a *absence) note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

// skip says why a line, or many, are missing.
func (a *absence) skip(why string) {
	if !slices.Contains(a.skipped, why) {
		a.skipped = append(a.skipped, why)
	}
}

// Absent is what there is no line of, and why.
func (a *absence) Absent() []string { return append(slices.Clone(a.notes), a.lost()...) }

// lost is what was asked for and cannot be had, and why.
func (a *absence) lost() []string {
	list := slices.Clone(a.skipped)
	for _, feature := range slices.Sorted(maps.Keys(a.lacking)) {
		list = append(list, feature+": "+a.lacking[feature])
	}
	return list
}

// Nothing is the error of a plan without cases. It is no mistake of one binary of
// several, of which others may have what was asked for.
type Nothing struct {
	why string
	// Absent is what there is no line of, and why, as of a plan.
	Absent []string
}

func (n *Nothing) Error() string { return n.why }

// Unmarked lists the messages of users that have no field for the number of a call.
func (p *Plan) Unmarked() (names []string) {
	for _, c := range p.selected {
		if s := c.Sent; s != nil && s.Unmarked && strings.Contains("/"+c.Spec.Keys+"/", "/msg="+s.Name+"/") && !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}
