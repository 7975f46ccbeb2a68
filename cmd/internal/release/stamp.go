package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// stamp writes a version into all that names one.
func (t tree) stamp(version string) error {
	files, err := t.git("ls-files", "*go.mod", "*/example/Makefile")
	if err != nil {
		return err
	}
	for file := range strings.FieldsSeq(files) {
		if err := rewrite(filepath.Join(t.dir, file), func(text string) (string, error) { return pinned(text, version), nil }); err != nil {
			return err
		}
	}
	log := filepath.Join(t.dir, "CHANGELOG.md")
	return rewrite(log, func(text string) (string, error) { return dated(text, version, time.Now()) })
}

// rewrite changes the text of a file.
func rewrite(file string, change func(string) (string, error)) error {
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	after, err := change(string(before))
	if err != nil || after == string(before) {
		return err
	}
	return os.WriteFile(file, []byte(after), 0o644)
}

var (
	required  = regexp.MustCompile(`(?m)(` + regexp.QuoteMeta(repo) + `/[a-z/]*) v[0-9.]*( // indirect)?$`)
	installed = regexp.MustCompile(`(?m)^(RPCBENCH *\?=).*$`)
)

// pinned is the text of a go.mod, or of a Makefile that installs commands, with a version of the
// repository's modules.
func pinned(text, version string) string {
	return installed.ReplaceAllString(required.ReplaceAllString(text, "${1} "+version+"${2}"), "${1} "+version)
}

// unreleased is the heading of what changed since the last release.
const unreleased = "\n## Unreleased\n"

// dated is the text of a change log in which what was unreleased is of a version.
func dated(text, version string, day time.Time) (string, error) {
	if strings.Count(text, unreleased) != 1 {
		return "", errors.New("CHANGELOG.md needs one heading ## Unreleased")
	}
	return strings.Replace(text, unreleased, unreleased+"\n## "+version+", "+day.UTC().Format(time.DateOnly)+"\n", 1), nil
}
