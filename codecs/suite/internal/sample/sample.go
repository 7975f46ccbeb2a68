// Package sample holds messages of one's own.
package sample

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// Sample is a list of messages of one type, and how they are compared.
type Sample struct {
	Name   string
	List   []any // pointers, none of them nil
	Nils   int   // how many were left out of List
	New    func() any
	Equal  func(got, want any) bool
	Differ func(got, want any) []string
}

// Kind is the kind of the messages. The sample must have passed Check.
func (s *Sample) Kind() messages.Kind { return messages.Listed(s.Name, s.New, s.List) }

// Spread returns n of the messages, or all where there are fewer, from the first one on at
// equal distances.
func (s *Sample) Spread(n int) (list []any) {
	n = min(n, len(s.List))
	for i := range n {
		list = append(list, s.List[i*len(s.List)/n])
	}
	return list
}

// special are the characters that mean something in a pattern of -bench, in the name of a
// benchmark or in a list.
const special = `/=(){}[]|\^$*+?.,:;#"'` + "`"

// Check is an error of a sample that cannot be measured.
func (s *Sample) Check() error {
	at := strings.IndexFunc(s.Name, func(r rune) bool {
		return strings.ContainsRune(special, r) || unicode.IsSpace(r) || !unicode.IsGraphic(r) || r == unicode.ReplacementChar
	})
	switch {
	case s.Name == "":
		return fmt.Errorf("Config.Messages: no name; it becomes msg= of the lines, as in suite.Messages(%q, list, …)", "Order")
	case at >= 0:
		return fmt.Errorf("Config.Messages: the name %q has a character that -bench or the name of a benchmark takes for something else; letters, digits, - and _ are safe", s.Name)
	case s.Nils > 0:
		return fmt.Errorf("Config.Messages: %d of the %d messages of %s are nil", s.Nils, s.Nils+len(s.List), s.Name)
	case len(s.List) == 0:
		return fmt.Errorf("Config.Messages: no message of %s; one is needed, and %d of different sizes are better", s.Name, Enough)
	}
	return nil
}
