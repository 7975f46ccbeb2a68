// Package value has what values of flags and of keys have in common.
package value

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
)

// Positive reads a whole number more than 0.
func Positive(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q must be a whole number more than 0", text)
	}
	return n, nil
}

// unnamed are characters that the value of a key cannot have.
var unnamed = regexp.MustCompile(`[^\w.-]+`)

// OfFile is the name of a file as the value of a key, without its directory.
func OfFile(path string) string { return unnamed.ReplaceAllString(filepath.Base(path), "_") }
