package workloads

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// file opens and reads a file of messages at each call, and parses it with
// encoding/json. The kernel's page cache holds the file, so no disk is read.
func file() framework.Workload {
	return framework.Workload{
		Name: "file", About: "reads and parses a JSON file of messages",
		Flag: "file", Default: "testdata/messages.json", Usage: "the JSON file of messages that workload=file reads",
		Start: startFile,
	}
}

func startFile(path string) (framework.Work, error) {
	want, err := readMessages(path)
	if err != nil {
		return framework.Work{}, fmt.Errorf("-file: %w", err)
	}
	if len(want) == 0 {
		return framework.Work{}, fmt.Errorf("-file: %s has no messages", path)
	}
	do := func() error {
		got, err := readMessages(path)
		if err == nil && !slices.Equal(got, want) {
			err = errWrong
		}
		return err
	}
	return framework.Work{Do: do, Setup: fmt.Sprintf("%s, %d messages", path, len(want))}, nil
}

func readMessages(path string) (list []message, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return list, nil
}
