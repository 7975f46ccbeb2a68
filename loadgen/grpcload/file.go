package grpcload

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"google.golang.org/grpc/metadata"

	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// Bounds of a file with targets, and of one of its lines, in bytes.
const (
	largestFile = 4 << 30
	longestLine = 64 << 20
)

// ReadFile returns the targets of a file that has one a line, in JSON. All but the method
// may be left out. Empty lines, and lines that begin with #, may stand between.
//
//	{"method": "helloworld.Greeter/SayHello", "request": {"name": "you"}, "metadata": {"authorization": "Bearer x"}, "name": "hello"}
//
// The name - stands for standard input. The error has the line. A target stays in memory, and
// takes some hundred bytes beside its request.
func ReadFile(path string) ([]Target, error) {
	in := io.Reader(os.Stdin)
	if path != "-" {
		file, err := regular.Open(path, largestFile)
		if err != nil {
			return nil, fmt.Errorf("grpcload: targets: %w", err)
		}
		defer file.Close()
		in = file
	}
	return read(path, in)
}

func read(path string, in io.Reader) (targets []Target, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, longestLine)
	number := 0
	for lines.Scan() {
		number++
		text := bytes.TrimSpace(lines.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		t, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("grpcload: %s:%d: %w", path, number, err)
		}
		t.Where = fmt.Sprintf("%s:%d", path, number)
		targets = append(targets, t)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("grpcload: %s:%d: the line is longer than %d MiB", path, number+1, longestLine>>20)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("grpcload: targets: %w", err)
	}
	if len(targets) == 0 {
		return nil, fmt.Errorf("grpcload: %s has no targets", path)
	}
	return targets, nil
}

// parse reads a line.
func parse(text []byte) (Target, error) {
	var line struct {
		Method   string            `json:"method"`
		Request  json.RawMessage   `json:"request"`
		Metadata map[string]string `json:"metadata"`
		Name     string            `json:"name"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&line); err != nil {
		return Target{}, fmt.Errorf(`not a target, as in {"method": "package.Service/Method", "request": {}}: %w`, err)
	}
	if decoder.More() {
		return Target{}, errors.New("something stands behind the target")
	}
	t := Target{Method: line.Method, Request: string(line.Request), Name: line.Name}
	if len(line.Metadata) > 0 {
		t.Metadata = metadata.New(line.Metadata)
	}
	return t, nil
}
