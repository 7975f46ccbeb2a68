package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// path is an absolute path.
func (o *options) path(name string) (string, error) {
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	return filepath.Abs(filepath.Join(o.dir, name))
}

// base is the directory of all that is made.
func (o *options) base() (string, error) {
	if o.cache == "" {
		return cache.Base()
	}
	return o.path(o.cache)
}

// imported are the directories that imports begin at.
func (o *options) imported() (dirs []string, err error) {
	for _, word := range o.split(o.imports, words) {
		dir, err := o.path(word)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

// files are the paths of the .proto files. One that is not there is looked for in the
// directories of imports, as protoc does.
func (o *options) files(imports []string) (files []string, err error) {
	for _, word := range o.split(o.proto, words, imports...) {
		file, err := o.path(word)
		if err != nil {
			return nil, err
		}
		for _, dir := range imports {
			if at := filepath.Join(dir, word); !exists(file) && exists(at) {
				file = at
			}
		}
		files = append(files, file)
	}
	return files, nil
}

// patterns are the absolute patterns of files with samples. What is the name of a file is no
// pattern, nor is the directory that patterns are relative to.
func (o *options) patterns(value string) (patterns []string, err error) {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	for _, word := range o.split(value, strings.Fields) {
		pattern := word
		if at, err := o.path(word); err == nil && exists(at) {
			pattern = escaped(at)
		} else if !filepath.IsAbs(word) {
			pattern = filepath.Join(escaped(dir), word)
		}
		patterns = append(patterns, pattern)
	}
	return patterns, nil
}

// split splits a list into its words, unless as a whole it is a path or a pattern, in which
// there are spaces or commas: below the directory that paths are relative to, or one of dirs.
func (o *options) split(list string, words func(string) []string, dirs ...string) []string {
	for _, dir := range append([]string{o.dir}, dirs...) {
		if list != "" && is(dir, list) {
			return []string{list}
		}
	}
	return words(list)
}

// is reports whether a path or a pattern leads to something from a directory.
func is(dir, path string) bool {
	if filepath.IsAbs(path) {
		return exists(path) || matches(path)
	}
	return exists(filepath.Join(dir, path)) || matches(filepath.Join(escaped(dir), path))
}

func matches(pattern string) bool {
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// words splits a list, with spaces or commas between.
func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' })
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// escaped is a path as a pattern has it.
func escaped(path string) string {
	meta := []string{"*", "[*]", "?", "[?]", "[", "[[]"}
	if filepath.Separator != '\\' {
		meta = append(meta, `\`, `\\`)
	}
	return strings.NewReplacer(meta...).Replace(path)
}
