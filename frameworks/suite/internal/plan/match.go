package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// matcher tells which cases -test.bench selects. Its alternatives are separated
// by |.
type matcher []alternative

// alternative selects by the rules of package testing: its elements are separated
// by /, and each is a regular expression for the name's element at that position.
// Names may go on after the last one, unless it is ended.
type alternative struct {
	text     string
	elements []*regexp.Regexp
	ended    bool
}

// compileMatcher compiles the value of a flag.
func compileMatcher(flag, pattern string) (m matcher, err error) {
	for _, text := range splitOutside(pattern, '|') {
		a := alternative{text: text}
		for _, e := range splitOutside(text, '/') {
			re, err := regexp.Compile(e)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", flag, err)
			}
			a.elements = append(a.elements, re)
		}
		m = append(m, a)
	}
	return m, nil
}

// splitOutside splits s at sep where it stands outside of () and [].
func splitOutside(s string, sep rune) []string {
	var parts []string
	begin, brackets, parens := 0, 0, 0
	for i, c := range s {
		switch {
		case i > 0 && s[i-1] == '\\':
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(brackets-1, 0)
		case c == '(' && brackets == 0:
			parens++
		case c == ')' && brackets == 0:
			parens--
		case c == sep && brackets == 0 && parens == 0:
			parts = append(parts, s[begin:i])
			begin = i + 1
		}
	}
	return append(parts, s[begin:])
}

// end has the alternatives that end in $ and match a whole name select no longer names.
// So the variant with the fewest keys can be selected: package testing alone would also
// select those with more keys.
func (m matcher) end(names []string) {
	for i, a := range m {
		m[i].ended = strings.HasSuffix(a.text, "$") && slices.ContainsFunc(names, a.matchesWhole)
	}
}

// matches reports whether a case of this name is selected.
func (m matcher) matches(name string) bool { return m.picks(name) && m.asksFor(name) }

// asksFor reports whether an alternative is of a case of this name, by itself.
func (m matcher) asksFor(name string) bool {
	return slices.ContainsFunc(m, func(a alternative) bool { return a.matches(name) })
}

// picks reports whether package testing gives a name a result. The first alternative that
// reaches it decides: one that goes on behind the name is of what is below alone.
func (m matcher) picks(name string) bool {
	i := slices.IndexFunc(m, func(a alternative) bool { return a.reaches(name) })
	return i >= 0 && elementsOf(name) >= len(m[i].elements)
}

// leavesOut reports whether package testing would select a case that is not
// selected.
func (m matcher) leavesOut(name string) bool { return m.picks(name) && !m.matches(name) }

// hides reports whether a case is asked for, but an alternative before goes on behind its name.
func (m matcher) hides(name string) bool { return m.asksFor(name) && !m.picks(name) }

// runsUnasked reports whether package testing would run a case that is not selected. Where
// the pattern goes on behind its name, the case would have no result.
func (m matcher) runsUnasked(name string) bool {
	reaches := func(a alternative) bool { return a.reaches(name) }
	return slices.ContainsFunc(m, reaches) && !m.matches(name)
}

// matchesTop reports whether the pattern may match name or what is below it.
func (m matcher) matchesTop(name string) bool {
	return slices.ContainsFunc(m, func(a alternative) bool { return a.elements[0].MatchString(name) })
}

// compileSkips compiles the value of -skip, which is "" if it is not given.
func compileSkips(pattern string) (matcher, error) {
	if pattern == "" {
		return nil, nil
	}
	return compileMatcher("-skip", pattern)
}

// skips reports whether package testing skips a test or benchmark of this name, and
// with it what is below.
func (m matcher) skips(name string) bool { return m.picks(name) }

func (a alternative) matches(name string) bool {
	if a.ended {
		return a.matchesWhole(name)
	}
	return a.matchesBegin(name)
}

func (a alternative) matchesWhole(name string) bool {
	return elementsOf(name) == len(a.elements) && a.matchesBegin(name)
}

func (a alternative) matchesBegin(name string) bool {
	return a.depth(name) == len(a.elements)
}

// reaches reports whether name and pattern match as far as both go.
func (a alternative) reaches(name string) bool {
	return a.depth(name) == min(elementsOf(name), len(a.elements))
}

// depth counts the first elements that match those of name.
func (a alternative) depth(name string) (n int) {
	for part := range strings.SplitSeq(name, "/") {
		if n == len(a.elements) || !a.elements[n].MatchString(part) {
			break
		}
		n++
	}
	return n
}

func elementsOf(name string) int { return strings.Count(name, "/") + 1 }
