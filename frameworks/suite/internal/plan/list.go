package plan

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
)

// List is a flag whose value is a comma-separated list. A value that cannot be
// read is kept for Err, because package flag prints the whole usage when Set
// fails.
type List[T any] struct {
	Values []T
	Split  func(text string) []string // into the texts of values; nil: at commas

	text     string
	read     func(string) (T, error)
	appends  bool // a repeated flag adds to the list instead of replacing it
	optional bool // an empty value is an empty list
	given    bool // it was set since NewList
	err      error
}

// NewList is a list with its default. If that is empty, the list may be.
func NewList[T any](text string, read func(string) (T, error)) List[T] {
	l := List[T]{read: read, optional: text == ""}
	l.Set(text)
	l.given = false
	return l
}

// String implements flag.Value.
func (l *List[T]) String() string { return l.text }

// Set implements flag.Value. It returns nil: see Err.
func (l *List[T]) Set(text string) error {
	l.given = true
	if !l.appends {
		l.Values, l.text, l.err = nil, "", nil
	}
	if text == "" && l.optional {
		return nil
	}
	for _, s := range l.split(text) {
		v, err := l.read(s)
		l.Values, l.err = append(l.Values, v), cmp.Or(l.err, err)
	}
	l.text = strings.TrimPrefix(l.text+","+text, ",")
	return nil
}

func (l *List[T]) split(text string) []string {
	if l.Split != nil {
		return l.Split(text)
	}
	return strings.Split(text, ",")
}

// Given reports whether the list was set, be it to its default.
func (l *List[T]) Given() bool { return l.given }

// Reads says why a text is no value of the list.
func (l *List[T]) Reads(text string) error {
	_, err := l.read(text)
	return err
}

// Err says what could not be read.
func (l *List[T]) Err() error { return l.err }

// Has reports whether the list has a value of this text.
func (l *List[T]) Has(name string) bool { return slices.Contains(l.split(l.text), name) }

// FlagErr says what could not be read of the flags that are lists.
func FlagErr(fs *flag.FlagSet) (first error) {
	fs.VisitAll(func(f *flag.Flag) {
		if l, ok := f.Value.(interface{ Err() error }); ok && l.Err() != nil && first == nil {
			first = fmt.Errorf("-%s: %w", f.Name, l.Err())
		}
	})
	return first
}

// OneOf reads one of names.
func OneOf(names ...string) func(string) (string, error) {
	return func(s string) (string, error) {
		if !slices.Contains(names, s) {
			return "", fmt.Errorf("unknown %q%s", s, Instead(s, names))
		}
		return s, nil
	}
}
