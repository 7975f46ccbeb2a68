package main

import (
	"bytes"
	_ "embed"
	"errors"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"text/template"
)

// benchTest is the bench_test.go of a framework's package.
//
//go:embed bench_test.tmpl
var benchTest string

// bench is what differs between these files.
type bench struct {
	Dir, Name string
	Module    bool // it is a module of its own, and can import nothing of the root's
	Reference bool // raw TCP is measured beside it
	Sends     bool // any message that protobuf-go has generated
}

// benches writes the bench_test.go of every framework.
func (r repository) benches() error {
	all, err := r.measured()
	for _, b := range all {
		var text []byte
		if text, err = b.text(); err == nil {
			err = os.WriteFile(r.path(b.Dir+"/bench_test.go"), text, 0o644)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// text is the file of one framework.
func (b bench) text() ([]byte, error) {
	var text bytes.Buffer
	if err := template.Must(template.New("bench_test.go").Parse(benchTest)).Execute(&text, b); err != nil {
		return nil, err
	}
	return format.Source(text.Bytes())
}

// measured lists the packages that have variants, those of old releases after each.
func (r repository) measured() (list []bench, err error) {
	dirs, err := fs.Glob(os.DirFS(r.root), "frameworks/*")
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		for _, dir := range []string{dir, dir + "/frozen"} {
			has, err := has(r.path(dir), variants)
			if err != nil {
				return nil, err
			}
			if !has {
				continue
			}
			b, err := r.benchOf(dir)
			if err != nil {
				return nil, err
			}
			list = append(list, b)
		}
	}
	return list, nil
}

func (r repository) benchOf(dir string) (bench, error) {
	_, err := os.Stat(r.path(dir + "/go.mod"))
	module := !errors.Is(err, fs.ErrNotExist)
	sends, err := has(r.path(dir), sending)
	return bench{Dir: dir, Name: path.Base(dir), Module: module, Reference: !module && dir != "frameworks/tcp", Sends: sends}, err
}

// The functions of the package of a framework.
var (
	variants = regexp.MustCompile(`(?m)^func Variants\(\) \[\]framework\.Variant\b`)
	sending  = regexp.MustCompile(`(?m)^func Sending\[Q, R any\]`)
)

// has reports whether the package in a directory has a function.
func has(dir string, function *regexp.Regexp) (bool, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || function.Match(text) {
			return err == nil, err
		}
	}
	return false, err
}
