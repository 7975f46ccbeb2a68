package record

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// Extension ends the names of files of records.
const Extension = ".json"

// Read reads the records of results, a directory or a file, and those of files; "" is no
// results. In a directory there must be a record, and files of others are told.
func Read(results string, files []string) (list []Record, others folder.Others, err error) {
	switch info, err := os.Stat(results); {
	case results == "":
	case err == nil && !info.IsDir():
		files = append([]string{results}, files...)
	default:
		if list, others, err = readDir(results); err != nil {
			return nil, others, err
		}
	}
	for _, path := range files {
		r, err := readFile(path)
		if err == nil && r.Response == nil {
			err = fmt.Errorf("%s: no call was made in its run", path)
		}
		if err != nil {
			return nil, others, err
		}
		list = append(list, r)
	}
	nameByFiles(list)
	return list, others, nil
}

// readDir reads the records of a directory, one at least; those of runs in
// which no call was made are left out, and so are files of others. The error names the file.
func readDir(dir string) (list []Record, others folder.Others, err error) {
	files, others, err := folder.Files(dir, Extension)
	if err != nil {
		return nil, others, fmt.Errorf("-results: %w", err)
	}
	for _, path := range files {
		r, err := readFile(path)
		if err != nil {
			return nil, others, err
		}
		if r.Response != nil {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, others, fmt.Errorf("-results=%s: no records there; the suites write them with their flag -results", dir)
	}
	return list, others, nil
}

// maxFile is more than any record needs.
const maxFile = 64 << 20

// readFile reads a record. What is known to be something else, as the output of go test -json,
// is refused by its name.
func readFile(path string) (r Record, err error) {
	data, err := regular.ReadFile(path, maxFile)
	if err != nil {
		return r, err
	}
	if data, err = lines.Understood(path, data); err != nil {
		return r, err
	}
	if r, err = parse(path, data); err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// nameByFiles names results without a record by their files, with the directories where
// several files have one name.
func nameByFiles(list []Record) {
	name := func(path string) string { return cmp.Or(strings.TrimSuffix(path, Extension), path) }
	files := map[string]int{}
	for _, r := range list {
		files[filepath.Base(r.File)]++
	}
	for i, r := range list {
		base := filepath.Base(r.File)
		switch {
		case r.Name != "":
		case files[base] > 1:
			list[i].rename(foreign.Line(name(r.File)))
		default:
			list[i].rename(foreign.Line(name(base)))
		}
	}
}
