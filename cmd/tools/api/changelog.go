package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
)

// surfaceText is a surface: the name and the text of its file.
type surfaceText struct{ name, text string }

// digest is what CHANGELOG.md has of a text.
func (s surfaceText) digest() string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s.text)))[:8] }

// mark is where a line of CHANGELOG.md tells of a surface.
var mark = regexp.MustCompile(`\(api: ([a-z-]+) ([0-9a-f]{8})\)`)

// told fails if CHANGELOG.md, whose newest lines come first, does not tell of a surface as it is.
func told(changelog string, found []surfaceText) (err error) {
	newest := map[string]string{}
	for _, m := range mark.FindAllStringSubmatch(changelog, -1) {
		if newest[m[1]] == "" {
			newest[m[1]] = m[2]
		}
	}
	for _, s := range found {
		if newest[s.name] != s.digest() {
			err = errors.Join(err, fmt.Errorf("testdata/api/%s.txt has changed: put a line first below Unreleased in CHANGELOG.md that says how, and ends in\n\t(api: %[1]s %[2]s)", s.name, s.digest()))
		}
		delete(newest, s.name)
	}
	return err
}
