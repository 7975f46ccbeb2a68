// Package foreign makes text of others fit to be printed: what a server, another
// machine, a record or a file name says must not become a result line of its own,
// nor reach a terminal as a command.
package foreign

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// most is the number of bytes of a text that are shown.
const most = 2000

// Line returns text as one line without anything that a terminal obeys: line
// breaks, control and format characters, such as those that turn the direction of
// writing, and bytes that are not UTF-8 are shown as in a Go string. A tab becomes four
// spaces, so that a stack can be read and a table keeps its columns. Of a long text
// the beginning is shown, and the number of bytes that follow. A text that has
// nothing of all this is returned as it is, so that Line of a Line is the same.
func Line(text string) string {
	if len(text) <= most && strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if b.Len() >= most-40 {
			fmt.Fprintf(&b, "… (%d more bytes)", len(text)-i)
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		b.WriteString(shown(r, text[i:i+size]))
		i += size
	}
	return b.String()
}

// Error returns err with its text as Line shows it. errors.Is and errors.As find in
// it what they find in err. Error of nil is nil.
func Error(err error) error {
	if err == nil || err.Error() == Line(err.Error()) {
		return err
	}
	return lined{err}
}

type lined struct{ error }

func (e lined) Error() string { return Line(e.error.Error()) }
func (e lined) Unwrap() error { return e.error }

// hidden reports whether a character does something else than show itself.
// utf8.RuneError is what an invalid byte reads as.
func hidden(r rune) bool {
	return r == utf8.RuneError || !unicode.IsGraphic(r) || r == '\u2028' || r == '\u2029'
}

func shown(r rune, bytes string) string {
	switch {
	case r == '\t':
		return "    "
	case !hidden(r):
		return bytes
	}
	quoted := strconv.QuoteToGraphic(bytes)
	return quoted[1 : len(quoted)-1]
}
