// Package hexed reads frames that tests write as hexadecimal bytes.
package hexed

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"strings"
)

// Bytes reads lines of hexadecimal bytes and of "texts", each with a comment
// after #.
func Bytes(text string) (b []byte) {
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		for _, word := range strings.Fields(line) {
			b = append(b, bytesOf(word)...)
		}
	}
	return b
}

func bytesOf(word string) []byte {
	if text, ok := strings.CutPrefix(word, `"`); ok {
		return []byte(strings.TrimSuffix(text, `"`))
	}
	b, err := hex.DecodeString(word)
	if err != nil {
		panic(fmt.Sprintf("hexed: %q: %v", word, err))
	}
	return b
}
