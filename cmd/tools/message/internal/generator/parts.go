package generator

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/idl"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/plain"
)

// Set is the packages of a module.
type Set struct {
	Generator
	wanted []string
	// Types are the names of the first message in the packages, by their names.
	Types map[string]string
	// Refused has the reason for each package that could not be made, and "" for each that
	// was.
	Refused map[string]string
}

// made is the file that has Refused, so that no package is made twice.
const made = "made.json"

// Parts are the packages of names, and the one of the messages.
func Parts(g Generator, names []string) *Set {
	wanted := []string{module.Messages}
	for _, name := range names {
		if !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return &Set{Generator: g, wanted: wanted, Types: map[string]string{}, Refused: map[string]string{}}
}

// Names are the packages' names.
func (s *Set) Names() []string { return s.wanted }

// Make makes the packages that are not there yet, after a call of build, which builds the
// generators of those. Only the messages' own package must be made: what becomes of the others is in
// Refused.
func (s *Set) Make(build func(parts []string) error) error {
	if err := s.load(); err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(s.wanted), func(name string) bool { _, has := s.Refused[name]; return has })
	if len(missing) > 0 {
		if err := build(missing); err != nil {
			return err
		}
		if err := s.each(missing); err != nil {
			return err
		}
		if err := s.save(); err != nil {
			return err
		}
	}
	return s.types()
}

func (s *Set) load() error {
	text, err := os.ReadFile(s.path(made))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &s.Refused)
}

func (s *Set) save() error {
	text, err := json.Marshal(s.Refused)
	if err != nil {
		return err
	}
	return s.write(made, text)
}

// each makes packages, of which those that do not compile are refused.
func (s *Set) each(names []string) error {
	var written []string
	for _, name := range names {
		err := s.one(name)
		if err == nil {
			written = append(written, name)
		} else if err = s.refuse(name, err); err != nil {
			return err
		}
	}
	if err := s.compile(written...); err == nil {
		return nil
	}
	return s.blame(written)
}

// compile compiles packages at once.
func (s *Set) compile(names ...string) error {
	args := []string{"build"}
	for _, name := range names {
		args = append(args, "./"+directory(name))
		s.Refused[name] = ""
	}
	return Go(s.Dir, args...)
}

// blame compiles packages one after another, and refuses those that do not compile.
// What vtprotobuf adds to the package of messages is refused before that package is.
func (s *Set) blame(names []string) error {
	slices.SortStableFunc(names, func(a, b string) int { return first(a) - first(b) })
	for _, name := range names {
		if err := s.compile(name); err != nil {
			if err := s.refuse(name, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// first sorts the methods of vtprotobuf before all else.
func first(name string) int {
	if name == module.VTProto {
		return 0
	}
	return 1
}

// refuse removes a package that could not be made. It returns the error if nothing can be made
// after it, or if the schema is not what it comes from: the next run may have another.
func (s *Set) refuse(name string, err error) error {
	if _, is := errors.AsType[refusal](err); !is {
		return err
	}
	s.Refused[name] = short(err).Error()
	switch name {
	case module.Messages:
		return err
	case module.VTProto:
		return removeAll(s.path(module.Messages), "*_vtproto.pb.go")
	}
	return os.RemoveAll(s.path(name))
}

func removeAll(dir, pattern string) error {
	files, err := fs.Glob(os.DirFS(dir), pattern)
	for _, file := range files {
		err = errors.Join(err, os.Remove(filepath.Join(dir, file)))
	}
	return err
}

// directory is where a package is.
func directory(name string) string {
	if name == module.VTProto {
		return module.Messages
	}
	return name
}

// one makes a package, of which an interrupted run may have left a part.
func (s *Set) one(name string) error {
	if err := os.RemoveAll(s.path(name)); err != nil {
		return err
	}
	switch name {
	case module.Messages:
		return s.Generated(name, "API_OPEN")
	case module.Opaque:
		return s.Generated(name, "API_OPAQUE")
	case module.VTProto:
		return s.VTProto(module.Messages)
	case module.Structs:
		return s.Plain(name, "")
	case module.MsgPack:
		return s.MsgPack(name)
	case module.EasyJSON:
		return s.EasyJSON(name)
	}
	return s.Prutal(name)
}

func (s *Set) types() error {
	messages, err := s.Messages(module.Messages)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Refused)) {
		switch name {
		case module.Messages, module.Opaque:
			s.Types[name] = messages[0].GoIdent.GoName
		case module.Prutal:
			s.Types[name] = idl.Name(messages)
		default:
			s.Types[name] = plain.TypeName(messages[0], messages)
		}
	}
	return nil
}
