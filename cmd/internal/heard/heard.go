// Package heard lets tests wait for what a program says.
package heard

import (
	"io"
	"strings"
)

// Test is what a test gives to Until.
type Test interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Until reads what a program says until a word is in it, and returns it. It fails if the
// program says no more before.
func Until(t Test, from io.Reader, word string) (text string) {
	t.Helper()
	buffer := make([]byte, 1000)
	for !strings.Contains(text, word) {
		n, err := from.Read(buffer)
		text += string(buffer[:n])
		if err != nil {
			t.Fatalf("%v without %q: %s", err, word, text)
		}
	}
	return text
}
