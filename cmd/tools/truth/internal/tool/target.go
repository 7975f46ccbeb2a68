package tool

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// scripts has what some tools need beside their options.
//
//go:embed scripts
var scripts embed.FS

// body is what is sent to a target that wants POST.
const body = "ping"

// patience is the timeout of a call in seconds where a tool's own is shorter than 10 s: a
// call that waits behind a server which stands still is to be measured, not given up.
const patience = "15"

// url is where an HTTP target is called.
func (t Target) url() string { return "http://" + t.Address + "/" }

// seconds is how long a target is called, in whole seconds.
func (t Target) seconds() string {
	return strconv.Itoa(int((t.Duration + time.Second - 1) / time.Second))
}

// file is the path of a file of this run.
func (t Target) file(name string) string { return filepath.Join(t.Dir, name) }

// post returns options if calls are to be POST, otherwise none.
func (t Target) post(options ...string) []string {
	if t.Post {
		return options
	}
	return nil
}

// payload writes the body into the file "body" of the run, if there is to be one.
func (t Target) payload() error {
	if !t.Post {
		return nil
	}
	return t.write("body", []byte(body))
}

// script copies scripts into the directory of the run.
func (t Target) script(names ...string) error {
	for _, name := range names {
		text, err := scripts.ReadFile("scripts/" + name)
		if err != nil {
			return err
		}
		if err := t.write(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (t Target) write(name string, text []byte) error {
	if err := os.WriteFile(t.file(name), text, 0o600); err != nil {
		return fmt.Errorf("write for the tool: %w", err)
	}
	return nil
}

// share is the rate of one of n callers.
func (t Target) share(n int) string {
	return strconv.FormatFloat(float64(t.Rate)/float64(n), 'g', -1, 64)
}

// rate is the rate of all callers together.
func (t Target) rate() string { return strconv.Itoa(t.Rate) }
