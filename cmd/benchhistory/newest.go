package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// search looks for releases of a module that can be downloaded.
type search struct {
	download func(version string) error
	left     int // questions that may still be asked
	refused  []history.Refusal
}

// has reports whether a release can be had.
func (s *search) has(version string) bool {
	if s.left == 0 {
		return false
	}
	s.left--
	err := s.download(version)
	if err != nil {
		s.refused = append(s.refused, history.Refusal{Version: version, Why: "it cannot be had: " + reason(err)})
	}
	return err == nil
}

// newest returns the n newest releases of a module that can be had, oldest first, and
// those that cannot.
func newest(ctx context.Context, module string, n int) (had []string, refused []history.Refusal, err error) {
	fmt.Fprintf(os.Stderr, "asking for the newest %d releases of %s\n", n, module)
	s := &search{left: 3 * n, download: func(version string) error { return download(ctx, module, version) }}
	list, unlisted := workshop.Go(ctx, workshop.Here, "list", "-m", "-versions", "-f", `{{join .Versions " "}}`, module)
	if versions := final(strings.Fields(list)); unlisted == nil && len(versions) > 0 {
		had = s.listed(versions, n)
	} else {
		required, err := workshop.Go(ctx, workshop.Here, "list", "-m", "-f", "{{.Version}}", module)
		if err != nil || !semver.IsValid(required) {
			return nil, nil, fmt.Errorf("%s has no list of versions, and go.mod does not require it: give -versions", module)
		}
		had = s.countDown(required, n)
	}
	if len(had) == 0 {
		err = errors.Join(ctx.Err(), fmt.Errorf("%s: no release can be had: give -versions", module))
	}
	return had, s.refused, err
}

func download(ctx context.Context, module, version string) error {
	_, err := workshop.Go(ctx, workshop.Here, "mod", "download", module+"@"+version)
	return err
}

// final leaves out what comes before a release, and sorts the others.
func final(versions []string) []string {
	versions = slices.DeleteFunc(versions, func(v string) bool { return semver.Prerelease(v) != "" })
	semver.Sort(versions)
	return versions
}

// listed takes the newest n of a list that can be had, oldest first.
func (s *search) listed(versions []string, n int) (had []string) {
	for _, v := range slices.Backward(versions) {
		if len(had) == n || s.left == 0 {
			break
		}
		if s.has(v) {
			had = append(had, v)
		}
	}
	slices.Reverse(had)
	return had
}

// countDown asks for versions that nobody lists: the patches of a minor version below the
// one that is known, then all patches of the minor versions before it.
func (s *search) countDown(known string, n int) (had []string) {
	major, minor, patch := parts(known)
	for ; patch >= 0; patch-- {
		if v := version(major, minor, patch); s.has(v) {
			had = append([]string{v}, had...)
		}
	}
	for minor--; minor >= 0 && len(had) < n && s.left > 0; minor-- {
		had = append(s.patches(major, minor), had...)
	}
	return had[max(len(had)-n, 0):]
}

// patches lists the patches of a minor version that can be had, from 0 or 1 up to the
// first that is refused.
func (s *search) patches(major, minor int) (had []string) {
	for patch := 0; patch <= 1 || len(had) > 0 && had[len(had)-1] == version(major, minor, patch-1); patch++ {
		if v := version(major, minor, patch); s.has(v) {
			had = append(had, v)
		}
	}
	return had
}

func version(major, minor, patch int) string { return fmt.Sprintf("v%d.%d.%d", major, minor, patch) }

// parts are the numbers of a version that semver has found valid.
func parts(v string) (major, minor, patch int) {
	core, _, _ := strings.Cut(strings.TrimSuffix(semver.Canonical(v), semver.Prerelease(v)), "-")
	numbers := strings.Split(strings.TrimPrefix(core, "v"), ".")
	major, _ = strconv.Atoi(numbers[0])
	minor, _ = strconv.Atoi(numbers[1])
	patch, _ = strconv.Atoi(numbers[2])
	return major, minor, patch
}
