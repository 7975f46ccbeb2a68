package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/bounds"
	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// part is one agent's record of a line, and its file.
type part struct {
	path string
	*record.Record
}

// readAll reads the files, and those of the directories; the error names every
// one that cannot be read. others are files of the directories that are no records.
func readAll(paths []string) (parts []part, others []string, err error) {
	for _, path := range paths {
		info, e := os.Stat(path)
		switch {
		case e != nil:
			err = errors.Join(err, e)
		case info.IsDir():
			there, not, e := readDir(path)
			parts, others, err = append(parts, there...), append(others, not...), errors.Join(err, e)
		default:
			r, e := record.Read(path)
			parts, err = append(parts, part{path, r}), errors.Join(err, e)
		}
	}
	return parts, others, err
}

// readDir reads the records of a directory, which holds files of other people as well. What
// may be a record that was damaged is an error: without it a rank would be missing.
func readDir(dir string) (parts []part, others []string, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) != ".json" {
			continue
		}
		if strings.HasPrefix(e.Name(), ".") {
			others = append(others, path)
			continue
		}
		r, e := record.Read(path)
		if e != nil && !mayBeRecord(path) {
			others = append(others, path)
			continue
		}
		parts, err = append(parts, part{path, r}), errors.Join(err, e)
	}
	if err == nil && len(parts) == 0 {
		err = fmt.Errorf("%s: there is no record in it, of %d .json files", dir, len(others))
	}
	return parts, others, err
}

// mayBeRecord reports whether a file that cannot be read as a record may be one all the same:
// by its name, which may be that of a link whose file is gone, or by how it begins, since a
// part of it may be missing, or by its keys. Directories, pipes and devices are none.
func mayBeRecord(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() && bounds.IsFile(filepath.Base(path)) {
		return true
	}
	f, err := regular.Open(path, math.MaxInt64)
	if err != nil {
		return false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bounds.Size+1))
	if err != nil || begins.Match(data) {
		return true
	}
	var keys struct{ Run, Result json.RawMessage }
	return json.Unmarshal(data, &keys) == nil && (keys.Run != nil || keys.Result != nil)
}

var begins = regexp.MustCompile(`^\s*\{\s*"run"`)

// leftOut says in one line which files of the directories are no records.
func leftOut(others []string) string {
	switch len(others) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("left out, since it is no record: %s", others[0])
	}
	return fmt.Sprintf("left out, since they are no records: %s and %d more", others[0], len(others)-1)
}
