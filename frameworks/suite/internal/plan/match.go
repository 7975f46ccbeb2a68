package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// matcher tells which benchmarks -test.bench selects, by the rules of package
// testing: alternatives are separated by |, the elements of one by /, each a
// regular expression for the name's element at that position.
type matcher [][]*regexp.Regexp

func compileMatcher(pattern string) (matcher, error) {
	var m matcher
	for _, alternative := range splitOutside(pattern, '|') {
		var elements []*regexp.Regexp
		for _, e := range splitOutside(alternative, '/') {
			re, err := regexp.Compile(e)
			if err != nil {
				return nil, fmt.Errorf("-bench: %w", err)
			}
			elements = append(elements, re)
		}
		m = append(m, elements)
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

// matches reports whether the whole pattern matches name.
func (m matcher) matches(name string) bool {
	names := strings.Split(name, "/")
	for _, elements := range m {
		if len(elements) <= len(names) && matchElements(elements, names) {
			return true
		}
	}
	return false
}

// matchesTop reports whether the pattern may match name or what is below it.
func (m matcher) matchesTop(name string) bool {
	return slices.ContainsFunc(m, func(elements []*regexp.Regexp) bool { return matchElements(elements[:1], []string{name}) })
}

func matchElements(elements []*regexp.Regexp, names []string) bool {
	for i, re := range elements {
		if !re.MatchString(names[i]) {
			return false
		}
	}
	return true
}
