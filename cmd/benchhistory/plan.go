package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/given"
	"github.com/rpcbench/rpcbench/cmd/internal/history"
	"github.com/rpcbench/rpcbench/cmd/internal/moved"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// check says what is wrong with the command line before anything starts.
func (o options) check() error {
	ways := 0
	for _, given := range []bool{o.versions != "", o.newest != 0, o.commits != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return errors.New("give either -versions, -newest or -commits; see -h")
	case o.newest < 0:
		return fmt.Errorf("-newest=%d: must be more than 0", o.newest)
	case o.newest > 0 && o.module == "":
		return errors.New("-newest: -mod must name the module")
	case o.commits != "" && o.module != "":
		return errors.New("-commits are of this repository: they have no -mod")
	case o.commits != "" && o.packages == "":
		return errors.New("-commits: -pkg must give the packages to measure")
	case o.rounds < 1:
		return fmt.Errorf("-rounds=%d: must be more than 0", o.rounds)
	case o.countRounds < 0 || o.sizeRounds < 0:
		return errors.New("-counts and -sizes must not be negative")
	}
	if o.anatomy {
		if err := moved.Check(o.args); err != nil {
			return err
		}
	}
	return given.Check(o.args)
}

// plan is what is to be measured.
type plan struct {
	history.Heading
	subjects []*subject // the reference and what stands beside the versions are among them
}

// subject is a program that takes part in every round.
type subject struct {
	version  string // its name in the record
	beside   bool   // it is the reference or -also, and not a version
	module   string // of a release; empty otherwise
	release  string
	ref      string   // the commit that it is built from
	packages []string // their directories
	programs []program
}

// program is what a package of a subject was built to.
type program struct {
	adapter   string // the directory
	binary    string // of its tests
	footprint string // see package footprint; empty if it is not measured
	said      string // when each case ran once
}

// plan lists what is to be measured, before anything is built.
func (o options) plan(ctx context.Context) (p plan, err error) {
	p.Heading = history.Heading{Run: time.Now().UTC(), Module: o.module, Rounds: o.rounds, Arguments: o.args}
	if p.Commit, err = commit(ctx, "HEAD"); err != nil {
		return p, err
	}
	if o.commits == "" {
		p.Kind = history.OfVersions
		err = o.releases(ctx, &p)
	} else {
		p.Kind = history.OfCommits
		err = o.commitList(ctx, &p)
	}
	if err == nil {
		err = o.besides(ctx, &p)
	}
	return p, err
}

// commit is the name of a commit in a record.
func commit(ctx context.Context, ref string) (name string, err error) {
	name, err = workshop.Git(ctx, workshop.Here, "rev-parse", "--verify", "--quiet", "--short=12", ref+"^{commit}")
	if err != nil {
		err = fmt.Errorf("%s is not a commit here", ref)
	}
	return name, err
}

func (o options) commitList(ctx context.Context, p *plan) error {
	packages, err := packagesOf(o.packages)
	if err != nil {
		return err
	}
	for ref := range strings.SplitSeq(o.commits, ",") {
		name, err := commit(ctx, ref)
		if err != nil {
			return fmt.Errorf("-commits: %w", err)
		}
		p.subjects = append(p.subjects, &subject{version: name, ref: name, packages: packages})
	}
	return nil
}

// packagesOf reads a list of directories.
func packagesOf(list string) (packages []string, err error) {
	for text := range strings.SplitSeq(list, ",") {
		pkg := path.Clean(filepath.ToSlash(text))
		if !filepath.IsLocal(pkg) || !measures(".", pkg) {
			return nil, fmt.Errorf("%q is not a directory here that has benchmarks", text)
		}
		packages = append(packages, pkg)
	}
	return packages, nil
}

// measures reports whether a package below dir has benchmarks.
func measures(dir, pkg string) bool {
	_, err := os.Stat(filepath.Join(dir, pkg, "bench_test.go"))
	return err == nil
}

func (o options) releases(ctx context.Context, p *plan) error {
	if o.newest > 0 {
		list, refused, err := newest(ctx, o.module, o.newest)
		if err != nil {
			return err
		}
		p.Refused = refused
		o.versions = strings.Join(list, ",")
	}
	for name := range strings.SplitSeq(o.versions, ",") {
		s, err := o.release(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(p.subjects, func(other *subject) bool { return other.version == name }) {
			return fmt.Errorf("-versions: %s is given twice", name)
		}
		s.ref = p.Commit
		p.subjects = append(p.subjects, s)
	}
	return nil
}

// release returns the subject of a version as -versions has it. The caller sets its commit.
func (o options) release(name string) (*subject, error) {
	module, version := o.module, name
	if module == "" {
		module, version, _ = strings.Cut(name, "@")
	}
	if module == "" || !releases.MatchString(version) {
		return nil, fmt.Errorf("-versions: %q is not a version, as in v1.85.0, or google.golang.org/grpc@v1.85.0 without -mod", name)
	}
	s := &subject{version: name, module: module, release: version}
	var err error
	if o.packages != "" {
		s.packages, err = packagesOf(o.packages)
	} else if s.packages, err = packagesOf("frameworks/" + lastElement(module)); err != nil {
		err = fmt.Errorf("%s: %w; -pkg names the adapter", module, err)
	}
	return s, err
}

var (
	releases = regexp.MustCompile(`^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+incompatible)?$`)
	major    = regexp.MustCompile(`/v\d+$`)
)

// lastElement is what a framework is called here, by its module.
func lastElement(module string) string {
	return path.Base(major.ReplaceAllString(module, ""))
}

// besides adds the reference, and the package of -also.
func (o options) besides(ctx context.Context, p *plan) (err error) {
	if o.also != "" {
		packages, err := packagesOf(o.also)
		if err != nil {
			return fmt.Errorf("-also: %w", err)
		}
		p.subjects = append(p.subjects, &subject{version: path.Base(packages[0]), beside: true, ref: p.Commit, packages: packages})
	}
	if p.Reference, err = o.referenceCommit(ctx); err != nil {
		return err
	}
	p.subjects = append(p.subjects, &subject{version: history.Reference, beside: true, ref: p.Reference, packages: []string{"frameworks/tcp"}})
	return nil
}

// referenceCommit returns the reference's commit of the last record that has one which is
// known here: the reference is to be the same program in all records.
func (o options) referenceCommit(ctx context.Context) (string, error) {
	if o.reference != "" {
		return commit(ctx, o.reference)
	}
	records, _, _ := history.ReadDir(o.dir) // there may be no directory yet
	for _, r := range slices.Backward(records) {
		if name, err := commit(ctx, r.Reference); err == nil {
			return name, nil
		}
	}
	return commit(ctx, "HEAD")
}

// fileName is what the record's file begins with.
func (o options) fileName() string {
	switch {
	case o.name != "":
		return o.name
	case o.commits != "":
		return "commits"
	case o.module == "":
		return "versions"
	}
	return lastElement(o.module)
}

// open goes on with a record of the same plan that is not complete, or creates one.
func (o options) open(p plan) (*history.Writer, error) {
	for _, file := range slices.Backward(history.Begun(o.dir, o.fileName())) {
		w, err := history.Continue(file)
		if o.fresh || err != nil || w.Done >= w.Heading.Rounds || w.Heading.Same(p.Heading) != "" {
			continue
		}
		fmt.Fprintf(os.Stderr, "going on with %s behind round %d of %d; -new begins another record\n", file, w.Done, w.Heading.Rounds)
		return w, nil
	}
	return history.Create(o.dir, o.fileName(), p.Heading)
}
