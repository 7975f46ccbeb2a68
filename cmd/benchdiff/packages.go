package main

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// parsePackages reads -pkg; nothing given is the package here.
func parsePackages(list string) (packages []string, err error) {
	if list == "" {
		return []string{workshop.Here}, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		pkg := path.Clean(filepath.ToSlash(text))
		switch {
		case text == "":
			return nil, fmt.Errorf("-pkg=%s: a package between two commas is missing", list)
		case path.IsAbs(pkg) || pkg == ".." || strings.HasPrefix(pkg, "../"):
			return nil, fmt.Errorf("-pkg: %s is not below the current directory", text)
		case slices.Contains(packages, pkg):
			return nil, fmt.Errorf("-pkg: %s is given twice", text)
		}
		packages = append(packages, pkg)
	}
	return packages, nil
}

// selection are the packages that are built of each side, those of both first.
type selection struct {
	base, head []string
	args       []string // of their binaries
	remark     string
}

// choose finds out which packages the two sides have. Where base, in dir, has none
// of them, or has the code of one without benchmarks of its own, the package here
// stands for those of its module on both sides.
func choose(packages []string, dir, ref string) (s selection, err error) {
	if slices.Equal(packages, []string{workshop.Here}) {
		return selection{base: packages, head: packages}, nil
	}
	s, err = ofEach(packages, dir)
	if err != nil || len(s.base) > 0 && !slices.ContainsFunc(s.head, func(pkg string) bool { return older(dir, pkg) }) {
		return s, err
	}
	return linked(packages, dir, ref)
}

// ofEach selects the packages that each side has.
func ofEach(packages []string, dir string) (s selection, err error) {
	var onlyBase, onlyHead []string
	for _, pkg := range packages {
		switch inBase, inHead := measures(dir, pkg), measures(workshop.Here, pkg); {
		case inBase && inHead:
			s.base = append(s.base, pkg)
		case inBase:
			onlyBase = append(onlyBase, pkg)
		case inHead:
			onlyHead = append(onlyHead, pkg)
		default:
			return s, missing(pkg)
		}
	}
	s.head = append(slices.Clone(s.base), onlyHead...)
	s.base = append(s.base, onlyBase...)
	s.args = withoutReferences(packages)
	return s, nil
}

// older reports whether base, in dir, has a package of this module, but no
// benchmarks in it.
func older(dir, pkg string) bool {
	return exists(dir, pkg) && !measures(dir, pkg) && !ownModule(pkg)
}

// linked selects the package here, which links all frameworks of its module. Those
// that the packages are named after are measured.
func linked(packages []string, dir, ref string) (s selection, err error) {
	if !measures(dir, workshop.Here) {
		return s, fmt.Errorf("%s has benchmarks neither in the packages of -pkg nor in the current directory", ref)
	}
	modules := slices.DeleteFunc(slices.Clone(packages), func(pkg string) bool { return !ownModule(pkg) })
	packages = slices.DeleteFunc(slices.Clone(packages), ownModule)
	if len(packages) == 0 {
		return s, fmt.Errorf("%s has no benchmarks in %s", ref, strings.Join(modules, ", "))
	}
	s = selection{base: []string{workshop.Here}, head: []string{workshop.Here}, args: []string{"-framework=" + strings.Join(names(packages), ",")}}
	s.remark = fmt.Sprintf("%s has no binaries of one framework each: those that link all are compared. ", ref)
	if len(modules) > 0 {
		s.remark += fmt.Sprintf("Left out, to be compared alone: %s. ", strings.Join(names(modules), ", "))
	}
	return s, nil
}

// withoutReferences are the arguments of the binaries of packages. Each leaves out what it
// has for reference, since a package of its own measures that. The package here need not
// be of a framework.
func withoutReferences(packages []string) []string {
	if slices.Equal(packages, []string{workshop.Here}) {
		return nil
	}
	return []string{"-references=false"}
}

func names(packages []string) (list []string) {
	for _, pkg := range packages {
		list = append(list, path.Base(pkg))
	}
	return list
}

// measures reports whether a package below dir has a file of benchmarks.
func measures(dir, pkg string) bool {
	return exists(dir, pkg, benchmarks)
}

// ownModule reports whether a package is in a module of its own, which the package
// here does not link.
func ownModule(pkg string) bool { return pkg != workshop.Here && exists(workshop.Here, pkg, "go.mod") }

func exists(path ...string) bool {
	_, err := os.Stat(filepath.Join(path...))
	return err == nil
}

// benchmarks is the file that has the benchmarks of a package.
const benchmarks = "bench_test.go"

// missing is the sentence about a package that there is not, with those that there
// are beside it.
func missing(pkg string) error {
	files, _ := filepath.Glob(filepath.Join(path.Dir(pkg), "*", benchmarks))
	if len(files) == 0 {
		return fmt.Errorf("-pkg: %s has no %s", pkg, benchmarks)
	}
	for i, file := range files {
		files[i] = path.Base(path.Dir(filepath.ToSlash(file)))
	}
	return errors.New("-pkg: there is no " + pkg + " with benchmarks; beside it there are " + strings.Join(files, ", "))
}
