// Package portable makes file names of free text, such as the name of a benchmark, that
// every common system can hold: Linux, macOS, Windows, NTFS, archives, and the uploads of
// continuous integration, which refuse what NTFS refuses.
package portable

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most is the most bytes of a file name on the systems above. NTFS counts UTF-16 units,
// of which a text never has more than bytes.
const Most = 255

// Name returns text as a file name of no more than most bytes, as readable as can be: a slash
// becomes a comma, a colon a hyphen, and whatever else a system refuses an underscore. A text that
// is too long is cut between two characters, and ends with a hash of the whole, so that
// two long texts with one beginning have two names. A name that is fit stays as it is.
func Name(text string, most int) string {
	name := strings.Map(fit, strings.ToValidUTF8(text, "_"))
	if strings.TrimRight(name, ". ") != name || name == "" {
		name = strings.TrimRight(name, ". ") + "_"
	}
	if reserved(name) {
		name = "_" + name
	}
	if len(name) <= most {
		return name
	}
	h := fnv.New32a()
	h.Write([]byte(text))
	return cut(name, most-9) + fmt.Sprintf("~%08x", h.Sum32())
}

// fit returns a character that every system takes.
func fit(c rune) rune {
	switch {
	case c == '/' || c == '\\':
		return ','
	case c == ':':
		return '-'
	case strings.ContainsRune(`<>"|?*`, c) || c != ' ' && !unicode.IsPrint(c) || c == utf8.RuneError:
		return '_'
	}
	return c
}

// reserved reports whether Windows takes a name for a device, whatever follows a dot.
func reserved(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch base = strings.TrimRight(base, " "); base {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	port, numbered := strings.CutPrefix(base, "COM")
	if !numbered {
		port, numbered = strings.CutPrefix(base, "LPT")
	}
	return numbered && len([]rune(port)) == 1 && strings.Contains("0123456789¹²³", port)
}

// cut returns the beginning of a text, no more than most bytes, without half a character.
func cut(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:max(most, 0)]
}
