package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// target is a file and the binaries whose lines it keeps.
type target struct {
	file     string
	binaries []string
	only     []string // arguments of these binaries, after the common ones
}

// parseTargets reads FILE=BINARY... -- ARGUMENTS...
func parseTargets(words []string) (targets []target, args []string, err error) {
	for i, s := range words {
		if s == "--" {
			words, args = words[:i], words[i+1:]
			break
		}
	}
	for _, s := range words {
		file, binary, found := strings.Cut(s, "=")
		if !found || file == "" || binary == "" {
			return nil, nil, fmt.Errorf("%q is not FILE=BINARY", s)
		}
		if strings.HasPrefix(s, "-") {
			return nil, nil, fmt.Errorf("%q is not FILE=BINARY; the binaries' arguments come after FILE=BINARY... and --", s)
		}
		if targets, err = addBinary(targets, filepath.Clean(file), binary); err != nil {
			return nil, nil, err
		}
	}
	if len(targets) == 0 {
		err = fmt.Errorf("no FILE=BINARY given; see -h")
	}
	return targets, args, err
}

func addBinary(targets []target, file, binary string) ([]target, error) {
	i := slices.IndexFunc(targets, func(s target) bool { return s.file == file })
	if i < 0 {
		return append(targets, target{file: file, binaries: []string{binary}}), nil
	}
	if slices.Contains(targets[i].binaries, binary) {
		return nil, fmt.Errorf("%s=%s is given twice", file, binary)
	}
	targets[i].binaries = append(targets[i].binaries, binary)
	return targets, nil
}
