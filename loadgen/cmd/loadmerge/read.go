package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/loadgen/record"
)

// part is one agent's record of a line, and its file.
type part struct {
	path string
	*record.Record
}

// readAll reads the files, and those of the directories; the error names every
// one that cannot be read.
func readAll(paths []string) (parts []part, err error) {
	for _, path := range paths {
		files, e := filesOf(path)
		err = errors.Join(err, e)
		for _, file := range files {
			r, e := record.Read(file)
			err = errors.Join(err, e)
			parts = append(parts, part{file, r})
		}
	}
	return parts, err
}

func filesOf(path string) (files []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no .json file in it", path)
	}
	return files, err
}
