package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// tree is a clone of the repository.
type tree struct {
	dir string
	env []string // of git and go
}

// environment is env with all that changes what go builds, so that it builds the same for
// everybody. Of GOFLAGS -modcacherw stays, which says how modules are kept.
func environment(env []string) []string {
	flags := ""
	for _, entry := range env {
		if all, is := strings.CutPrefix(entry, "GOFLAGS="); is && slices.Contains(strings.Fields(all), "-modcacherw") {
			flags = "-modcacherw"
		}
	}
	return append(slices.Clone(env), "GOWORK=off", "GOFLAGS="+flags, "CGO_ENABLED=0", "GOEXPERIMENT=", "GOFIPS140=off", "GOAMD64=v1", "GOARM64=v8.0")
}

// with is the tree for commands with more variables.
func (t tree) with(env ...string) tree {
	t.env = append(slices.Clone(t.env), env...)
	return t
}

// run runs a command in a directory of the tree, and returns what it prints.
func (t tree) run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = filepath.Join(t.dir, dir), t.env
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", cmd, err, bytes.TrimSpace(said.Bytes()))
	}
	return strings.TrimSpace(string(out)), err
}

func (t tree) git(args ...string) (string, error) { return t.run(".", "git", args...) }

var releases = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// check returns an error if a version cannot be made of the tree.
func (t tree) check(version string) error {
	if !releases.MatchString(version) {
		return fmt.Errorf("VERSION=%s: it looks like v0.2.0", version)
	}
	if _, err := t.git("rev-parse", "-q", "--verify", "refs/tags/"+version); err == nil {
		return fmt.Errorf("%s is tagged already", version)
	}
	if _, err := t.git("diff", "--quiet", "HEAD"); err != nil {
		return errors.New("there are changes that are not committed")
	}
	return nil
}

// tagged returns the version that HEAD is tagged with.
func (t tree) tagged() (string, error) {
	all, err := t.git("tag", "--points-at", "HEAD")
	if err != nil {
		return "", err
	}
	versions := slices.DeleteFunc(strings.Fields(all), func(tag string) bool { return !releases.MatchString(tag) })
	if len(versions) != 1 {
		return "", fmt.Errorf("HEAD must be tagged with one version, and has %q", versions)
	}
	return versions[0], nil
}

// checkTags returns an error unless each tag of a version is there and at HEAD. What a command
// says of its version comes from the tag of its module.
func (t tree) checkTags(version string) error {
	head, err := t.git("rev-parse", "HEAD")
	errs := []error{err}
	for _, tag := range tags(version) {
		at, err := t.git("rev-parse", "-q", "--verify", "refs/tags/"+tag+"^{commit}")
		if err != nil || at != head {
			errs = append(errs, fmt.Errorf("%s is not the tag of %s", tag, head))
		}
	}
	return errors.Join(errs...)
}

// clone makes a clone of the tagged version in a new directory.
func (t tree) clone(version, dir string) (tree, error) {
	_, err := t.git("-c", "advice.detachedHead=false", "clone", "-q", "--branch="+version, t.dir, dir)
	return tree{dir, t.env}, err
}
