package workloads

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// messages is a file of this repository.
const messages = "testdata/messages.json"

// file opens and reads a file of messages at each call, and parses it with
// encoding/json. The kernel's page cache holds the file, so no disk is read.
func file() workload.Workload {
	return workload.Workload{
		Name: "file", About: "reads and parses a JSON file of messages",
		Flag: "file", Default: messages, Usage: "the JSON file of messages that workload=file reads",
		Start: startFile,
	}
}

func startFile(option string) (workload.Work, error) {
	path := option
	if path == messages {
		path = above(path)
	}
	if err := readable(path); err != nil {
		return workload.Work{}, fmt.Errorf("-file: %w", err)
	}
	want, err := readMessages(path)
	if err != nil {
		return workload.Work{}, fmt.Errorf("-file: %w", err)
	}
	if len(want) == 0 {
		return workload.Work{}, fmt.Errorf("-file: %s has no messages", path)
	}
	do := func() error {
		got, err := readMessages(path)
		if err == nil && !slices.Equal(got, want) {
			err = message.ErrWrong
		}
		return err
	}
	return workload.Work{Do: do, Setup: fmt.Sprintf("%s, %d messages", option, len(want))}, nil
}

// largest is the most bytes of a file of messages, which each call reads whole.
const largest = 256 << 20

// readable returns an error for what is there and cannot be read whole, again and again.
func readable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil // whoever opens it says more
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", path)
	case info.Size() > largest:
		return fmt.Errorf("%s has %d bytes: more than %d MiB are not read", path, info.Size(), largest>>20)
	}
	return nil
}

// above returns where a path leads to a file: from this directory or one above it,
// since go test runs a package in its own.
func above(path string) string {
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if at := filepath.Join(dir, path); isThere(at) {
			return at
		}
	}
	return path
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readMessages(path string) (list []message.Message, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}
