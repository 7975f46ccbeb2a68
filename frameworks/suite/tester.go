package suite

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
)

// tester is a *testing.T that prints the errors of frameworks and servers without what
// a terminal would obey. Package testing indents their lines.
type tester struct{ *testing.T }

// Run is testing.T.Run.
func (t tester) Run(name string, part func(tester)) bool {
	return t.T.Run(name, func(t *testing.T) { part(tester{t}) })
}

// Errorf is what package testify fails a test with.
func (t tester) Errorf(format string, args ...any) {
	t.Helper()
	t.T.Error(indented(fmt.Sprintf(format, args...)))
}

// Skip is testing.T.Skip.
func (t tester) Skip(args ...any) {
	t.Helper()
	t.T.Skip(indented(fmt.Sprint(args...)))
}

var printed = regexp.MustCompile(`[^\n\t]+`)

// indented is a text of others for package testing, which indents its lines.
func indented(text string) string { return printed.ReplaceAllStringFunc(text, foreign.Line) }
