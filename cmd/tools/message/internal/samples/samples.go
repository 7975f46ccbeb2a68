// Package samples reads a user's messages from files.
package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/regular"
)

const (
	largest = 64 << 20  // bytes of a file
	most    = 256 << 20 // bytes of all of them
)

// Source is where messages are read from.
type Source struct {
	Message protoreflect.MessageDescriptor
	Types   *dynamicpb.Types // what an Any and extensions refer to
	// Most is how many messages are read at most, the first ones.
	Most int
}

// List are messages, each as it is encoded by protobuf.
type List [][]byte

// Delimited is the list with the length of each message before it.
func (l List) Delimited() (data []byte) {
	for _, m := range l {
		data = protowire.AppendBytes(data, m)
	}
	return data
}

// enough is how many messages a benchmark wants at least.
const enough = 8

// Warning says in a few words why figures of the list may not hold for other messages; "" if
// nothing is wrong.
func (l List) Warning() string {
	differs := func(m []byte) bool { return !bytes.Equal(m, l[0]) }
	switch {
	case len(l) > 1 && !slices.ContainsFunc(l, differs):
		return fmt.Sprintf("are %d equal ones", len(l))
	case len(l) == 1:
		return "is one"
	case len(l) < enough:
		return fmt.Sprintf("are only %d", len(l))
	}
	return ""
}

// Read reads the messages of the files that patterns match, in the order of their names. The
// error says which file, which line, and what to do. Notes are sentences about what was
// left out, or is unlike the schema.
func (s Source) Read(patterns []string) (list List, notes []string, err error) {
	files, err := match(patterns)
	if err != nil {
		return nil, nil, err
	}
	if err := check(files); err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		some, err := s.file(file)
		if err != nil {
			return nil, nil, err
		}
		if list = append(list, some...); len(list) > s.Most {
			list = list[:s.Most]
			notes = append(notes, fmt.Sprintf("the first %d messages %s are taken: -n takes more", s.Most, s.Message.FullName()))
			break
		}
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("%s: no message is in there", strings.Join(patterns, " "))
	}
	return list, append(notes, s.foreign(list)...), nil
}

// foreign tells of fields that the schema does not know, which only binary samples have.
func (s Source) foreign(list List) []string {
	n := 0
	for _, data := range list {
		m := dynamicpb.NewMessage(s.Message)
		if err := (proto.UnmarshalOptions{Resolver: s.Types}).Unmarshal(data, m); err == nil && strange(m) {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d samples have fields that are not in %s: is it their message?", n, len(list), s.Message.FullName())}
}

// strange reports whether a message, or one within it, has unknown fields.
func strange(m proto.Message) (found bool) {
	_ = protorange.Range(m.ProtoReflect(), func(v protopath.Values) error { // it has no errors of its own
		if v.Index(-1).Step.Kind() == protopath.UnknownAccessStep {
			found = true
			return protorange.Terminate
		}
		return nil
	})
	return found
}

// match lists the files of patterns, each once.
func match(patterns []string) (files []string, err error) {
	for _, pattern := range patterns {
		some, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("-samples=%s: %w: quote what is not meant as a pattern with a backslash", pattern, err)
		}
		if len(some) == 0 {
			return nil, fmt.Errorf("-samples=%s matches no file: quote the pattern, so that the shell leaves it as it is, and see what %s has", pattern, filepath.Dir(pattern))
		}
		for _, file := range some {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files, nil
}

// check refuses what cannot be read before any of it is.
func check(files []string) error {
	var total int64
	for _, file := range files {
		info, err := os.Stat(file)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s leads to no file", file)
		}
		if err != nil {
			return err
		}
		if err := regular.Check(file, info, largest); err != nil {
			return err
		}
		if formats[filepath.Ext(file)] == nil {
			return fmt.Errorf("%s: the name of a sample ends in .json, .jsonl, .ndjson, .txtpb, .textproto or .binpb, which says how it is written", file)
		}
		if total += info.Size(); total > most {
			return fmt.Errorf("the samples have over %d MiB: take fewer of them", most>>20)
		}
	}
	return nil
}

// formats are the ways to write messages, by the end of a file's name.
var formats = map[string]func(s Source, file string, data []byte) (List, error){
	".json":      Source.json,
	".jsonl":     Source.lines,
	".ndjson":    Source.lines,
	".txtpb":     Source.text,
	".textproto": Source.text,
	".binpb":     Source.binary,
}

func (s Source) file(file string) (List, error) {
	data, err := regular.ReadFile(file, largest)
	if err != nil {
		return nil, err
	}
	return formats[filepath.Ext(file)](s, file, data)
}

// json reads a message, or an array of messages.
func (s Source) json(file string, data []byte) (List, error) {
	if text := bytes.TrimSpace(data); len(text) == 0 || text[0] != '[' {
		m, err := s.fromJSON(data)
		return s.one(place{file, 1}, m, err)
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		return nil, s.wrong(place{file, line(data, err)}, err)
	}
	return s.several(file, placed(data, elements))
}

// placed are the elements of an array, with the lines that they begin in.
func placed(data []byte, elements []json.RawMessage) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 1 // the line that the rest of data begins in
		for _, element := range elements {
			begin := bytes.Index(data, element)
			n += bytes.Count(data[:begin], []byte("\n"))
			if !yield(n, element) {
				return
			}
			n, data = n+bytes.Count(element, []byte("\n")), data[begin+len(element):]
		}
	}
}

// lines reads a message from each line that is not blank.
func (s Source) lines(file string, data []byte) (list List, err error) {
	return s.several(file, func(yield func(int, []byte) bool) {
		n := 0
		for text := range bytes.Lines(data) {
			if n++; len(bytes.TrimSpace(text)) > 0 && !yield(n, text) {
				return
			}
		}
	})
}

// several reads messages, each with its line, until there are more than are taken.
func (s Source) several(file string, texts iter.Seq2[int, []byte]) (list List, err error) {
	for n, text := range texts {
		m, err := s.fromJSON(text)
		some, err := s.one(place{file, n}, m, err)
		if err != nil {
			return nil, err
		}
		if list = append(list, some...); len(list) > s.Most {
			break
		}
	}
	return list, nil
}

func (s Source) text(file string, data []byte) (List, error) {
	m, err := s.fromText(data)
	return s.one(place{file, 1}, m, err)
}

func (s Source) binary(file string, data []byte) (List, error) {
	m := dynamicpb.NewMessage(s.Message)
	err := proto.UnmarshalOptions{Resolver: s.Types}.Unmarshal(data, m)
	return s.one(place{file, 0}, m, err)
}

// one is the list of one message, unless reading it failed.
func (s Source) one(at place, m proto.Message, err error) (List, error) {
	if err != nil {
		return nil, s.wrong(at, err)
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, s.wrong(at, err)
	}
	return List{data}, nil
}
