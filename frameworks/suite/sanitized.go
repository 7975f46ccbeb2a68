package suite

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/tester"
)

// sanitized is a *testing.T that prints the errors of frameworks and servers without
// characters that control a terminal. Package testing indents their lines.
type sanitized struct{ *testing.T }

var _ tester.T = sanitized{}

// Run is testing.T.Run.
func (t sanitized) Run(name string, part func(tester.T)) bool {
	return t.T.Run(name, func(t *testing.T) { part(sanitized{t}) })
}

// Errorf is what package testify fails a test with.
func (t sanitized) Errorf(format string, args ...any) {
	t.Helper()
	t.T.Error(harmless(fmt.Sprintf(format, args...)))
}

// Skip is testing.T.Skip.
func (t sanitized) Skip(args ...any) {
	t.Helper()
	t.T.Skip(harmless(fmt.Sprint(args...)))
}

var printed = regexp.MustCompile(`[^\n\t]+`)

// harmless returns a text of others without characters that control a terminal, but with
// its line breaks and tabs: package testing indents its lines.
func harmless(text string) string { return printed.ReplaceAllStringFunc(text, foreign.Line) }
