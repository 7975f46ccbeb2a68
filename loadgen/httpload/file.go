package httpload

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// ReadFile returns the targets of a file, which has them as vegeta's do: a line with method and
// URL, lines of headers, and a line with @ and the path of the file that is the body, each as
// often as there are some. Empty lines and lines that begin with # may stand between targets.
//
//	GET http://127.0.0.1:8080/users/7
//	Accept: application/json
//
//	POST http://127.0.0.1:8080/users
//	@body.json
//
// Or it has a target a line in JSON, with a body in base64:
//
//	{"method": "POST", "url": "http://127.0.0.1:8080/users", "header": {"Accept": ["text/plain"]}, "body": "e30="}
//
// The whole file is looked at first, and the error names the line. A file of more than 1000
// targets or 16 MiB is read again while its targets are called, so it must not change until
// Close. A target takes 9 bytes of memory then, and 16 MiB of text at most. The name - stands for
// standard input.
func ReadFile(path string) (*Targets, error) {
	file, text, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("httpload: targets: %w", err)
	}
	t := &Targets{file: file}
	if err = t.index(path, text); err == nil {
		err = t.keep()
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("httpload: %w", err)
	}
	return t, nil
}

// open opens a file, and returns its text. Standard input is copied into one as it is read, which
// is removed at once, so that a process that ends early leaves none.
func open(path string) (*os.File, io.Reader, error) {
	if path != "-" {
		file, err := regular.Open(path, math.MaxInt64)
		return file, file, err
	}
	file, err := os.CreateTemp("", "targets")
	if err != nil {
		return nil, nil, err
	}
	_ = os.Remove(file.Name()) // what is open stays until it is closed, but on Windows
	return file, io.TeeReader(os.Stdin, file), nil
}

// Files of more are not kept in memory.
const (
	maxKept     = 1000
	maxKeptSize = 16 << 20
)

// keep reads all targets into memory if they are few.
func (t *Targets) keep() error {
	if n := t.Len(); n > maxKept || t.starts[n] > maxKeptSize {
		return nil
	}
	var list []parsed
	size := 0
	for i := range t.of {
		var room []byte
		one, err := t.at(i, &room)
		if err != nil {
			return err
		}
		if size += len(one.Body); size > maxKeptSize {
			return nil
		}
		list = append(list, one)
	}
	t.list = list
	return nil
}

// index finds out where each target is, and that all are right.
func (t *Targets) index(path string, text io.Reader) error {
	x := &indexer{targets: t, path: path, bodies: map[string]bool{}}
	lines := bufio.NewReaderSize(text, 1<<16)
	var err error
	for err == nil {
		if err = x.readLine(lines); err == nil {
			err = x.add()
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	if err := x.finish(); err != nil {
		return err
	}
	if t.Len() == 0 {
		return fmt.Errorf("%s: there are no targets in it", path)
	}
	t.starts = append(t.starts, x.end)
	return nil
}

// maxText is the longest text of a target.
const maxText = 16 << 20

// indexer goes through the lines of a file.
type indexer struct {
	targets *Targets
	path    string
	bodies  map[string]bool // files that are there

	line   []byte
	number int   // of line, from 1
	end    int64 // of line

	text  []byte // of the target so far; none between two targets
	first int    // the number of its first line
	start int64  // of its first line
}

// readLine reads a line, with its end.
func (x *indexer) readLine(lines *bufio.Reader) error {
	x.line = x.line[:0]
	for {
		part, err := lines.ReadSlice('\n')
		x.line = append(x.line, part...)
		if err == nil || errors.Is(err, io.EOF) && len(x.line) > 0 {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		if len(x.line) > maxText {
			return fmt.Errorf("%s:%d: a target of more than %d MiB", x.path, x.number+1, maxText>>20)
		}
	}
	x.number++
	x.end += int64(len(x.line))
	return nil
}

// add adds the line to the target that it belongs to.
func (x *indexer) add() error {
	line := trimmed(x.line)
	if len(x.text) > 0 && (len(line) == 0 || begins(line)) {
		if err := x.finish(); err != nil {
			return err
		}
	}
	if len(x.text) == 0 {
		if len(line) == 0 || line[0] == '#' {
			return nil
		}
		x.first, x.start = x.number, x.end-int64(len(x.line))
	}
	if x.text = append(x.text, x.line...); len(x.text) > maxText {
		return fmt.Errorf("%s:%d: a target of more than %d MiB", x.path, x.first, maxText>>20)
	}
	if line[0] == '@' || line[0] == '{' {
		return x.finish()
	}
	return nil
}

// finish takes the text as that of a target, if there is one.
func (x *indexer) finish() error {
	if len(x.text) == 0 {
		return nil
	}
	one, at, err := parseTarget(x.text)
	if err == nil && one.bodyFile != "" && !x.bodies[one.bodyFile] {
		_, err = one.readBody()
		x.bodies[one.bodyFile] = len(x.bodies) < maxKept
	}
	if err != nil {
		return fmt.Errorf("%s:%d: %w", x.path, x.first+at, err)
	}
	x.targets.note(one.Method, one.url)
	x.targets.starts = append(x.targets.starts, x.start)
	x.text = x.text[:0]
	return nil
}

// trimmed is a line without space around it, and without the mark of byte order that a file may
// begin with.
func trimmed(line []byte) []byte { return bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\ufeff"))) }

// begins reports whether a line is the first of a target: a method in capitals, space, and
// more than the rest of a header.
func begins(line []byte) bool {
	name, rest, found := bytes.Cut(line, []byte(" "))
	if !found || len(name) == 0 {
		return false
	}
	for _, c := range name {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	rest = bytes.TrimSpace(rest)
	return len(rest) > 0 && rest[0] != ':'
}

// written is a target as it is written in a file.
type written struct {
	parsed
	bodyFile string
}

// maxBody is the longest body of a file.
const maxBody = 64 << 20

// readBody returns the body of the target, from its file if it has one.
func (w *written) readBody() ([]byte, error) {
	if w.bodyFile == "" {
		return w.Body, nil
	}
	body, err := regular.ReadFile(w.bodyFile, maxBody)
	if err != nil {
		return nil, fmt.Errorf("the body: %w", err)
	}
	return body, nil
}

// parseTarget reads the text of a target, and says in which of its lines, from 0, an error is, or
// the path of the body.
func parseTarget(text []byte) (w written, at int, err error) {
	for line := range bytes.Lines(text) {
		line = trimmed(line)
		switch {
		case len(line) > 0 && line[0] == '#':
		case len(line) == 0 && w.url == nil:
		case len(line) == 0:
			return w, at - 1, nil
		case w.URL == "":
			err = w.parseFirst(line)
		case line[0] == '@':
			w.bodyFile, err = bodyFile(line)
			return w, at, err
		default:
			err = w.parseHeader(string(line))
		}
		if err != nil {
			return w, at, err
		}
		at++
	}
	if w.url == nil {
		err = errors.New("no target is there")
	}
	return w, at - 1, err
}

func bodyFile(line []byte) (path string, err error) {
	if len(line) == 1 {
		return "", errors.New("no file stands behind the @: a body is as in @FILE")
	}
	return string(line[1:]), nil
}

// parseFirst reads a line with a method and a URL, or a whole target in JSON.
func (w *written) parseFirst(line []byte) (err error) {
	if line[0] == '{' {
		err = w.parseJSON(line)
	} else {
		method, url, found := strings.Cut(string(line), " ")
		if !found {
			return fmt.Errorf("%.80q is not a method and a URL, as in GET http://127.0.0.1:8080/", line)
		}
		w.Method, w.URL, w.Header = method, strings.TrimSpace(url), http.Header{}
	}
	if err == nil {
		w.url, err = w.check()
	}
	return err
}

func (w *written) parseHeader(line string) error {
	name, value, found := strings.Cut(line, ":")
	if name = http.CanonicalHeaderKey(strings.TrimSpace(name)); !found || name == "" {
		return fmt.Errorf("%.80q is neither a header, as in Accept: text/plain, nor a body, as in @FILE", line)
	}
	w.Header[name] = append(w.Header[name], strings.TrimSpace(value))
	return checkHeader(http.Header{name: w.Header[name]})
}

func (w *written) parseJSON(line []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w.Target); err != nil {
		return fmt.Errorf("not a target in JSON: %w", err)
	}
	if decoder.More() {
		return errors.New("not a target in JSON: more stands behind it")
	}
	return nil
}
