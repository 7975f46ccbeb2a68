// Package schema compiles a user's .proto files and cuts out of them what a message needs.
package schema

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/reporter"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/protoc"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/regular"
)

// Schema is what .proto files and those that they import declare.
type Schema struct {
	files    linker.Files
	registry *protoregistry.Files
}

// Compile compiles files, whose imports are looked for in the directories of imports; without
// any, in the directories of the files. The error has the file, the line and what to do.
func Compile(files, imports []string) (*Schema, error) {
	if err := check(files); err != nil {
		return nil, err
	}
	if len(imports) == 0 {
		imports = directories(files)
	}
	names, err := below(imports, files)
	if err != nil {
		return nil, err
	}
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(sources{imports}),
		MaxParallelism: 1, // so that of several errors the same one is told each time
	}
	linked, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, remedied(err, imports)
	}
	s := &Schema{files: linked, registry: &protoregistry.Files{}}
	for _, f := range protoc.InOrder(linked) {
		if err := s.registry.RegisterFile(f); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// check returns an error for what is no .proto file.
func check(files []string) error {
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return fmt.Errorf("-proto: %w: a path is relative to the directory where make runs", err)
		}
		if err := regular.Check(file, info, largest); err != nil {
			return fmt.Errorf("-proto: %w", err)
		}
	}
	return nil
}

// directories lists the directories of files, each once.
func directories(files []string) (dirs []string) {
	for _, file := range files {
		if dir := filepath.Dir(file); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// below are the names by which files are imported: their paths below the first directory of
// imports that has them.
func below(imports, files []string) (names []string, err error) {
	for _, file := range files {
		name := within(imports, file)
		if name == "" {
			return nil, fmt.Errorf("%s is in none of the directories of -I (IMPORTS), %s: add the one that imports begin at", file, strings.Join(imports, " "))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

func within(imports []string, file string) string {
	for _, dir := range imports {
		name, err := filepath.Rel(dir, file)
		if err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name)
		}
	}
	return ""
}

// Types resolves the messages in an Any and the extensions of samples.
func (s *Schema) Types() *dynamicpb.Types { return dynamicpb.NewTypes(s.registry) }

// Find returns the message of a full name. The error has the nearest names.
func (s *Schema) Find(name string) (protoreflect.MessageDescriptor, error) {
	found, err := s.registry.FindDescriptorByName(protoreflect.FullName(strings.TrimPrefix(name, ".")))
	if err != nil {
		return nil, s.unknown(name)
	}
	message, is := found.(protoreflect.MessageDescriptor)
	if !is || message.IsMapEntry() {
		return nil, fmt.Errorf("%s is no message, but %s", name, kind(found))
	}
	if standard(message.ParentFile().Path()) {
		return nil, fmt.Errorf("%s is a well-known type, whose Go code is not generated: take a message that has a field of it", name)
	}
	return message, nil
}

func (s *Schema) unknown(name string) error {
	names := s.names()
	if len(names) == 0 {
		return errors.New("the files of -proto declare no message")
	}
	near := slices.DeleteFunc(slices.Clone(names), func(full string) bool { return !strings.HasSuffix(full, "."+name) })
	if len(near) == 0 {
		near = commandline.Nearest(name, names)
	}
	if len(near) == 0 {
		return fmt.Errorf("there is no message %s: there is %s", name, some(names))
	}
	return fmt.Errorf("there is no message %s: %s", name, commandline.DidYouMean(near[:min(len(near), 3)]))
}

// some are the first of names.
func some(names []string) string {
	const most = 5
	if more := len(names) - most; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// names are the full names of the messages of the files that were given.
func (s *Schema) names() (names []string) {
	var visit func(protoreflect.MessageDescriptors)
	visit = func(messages protoreflect.MessageDescriptors) {
		for i := range messages.Len() {
			if m := messages.Get(i); !m.IsMapEntry() {
				names = append(names, string(m.FullName()))
				visit(m.Messages())
			}
		}
	}
	for _, f := range s.files {
		visit(f.Messages())
	}
	return names
}

func kind(d protoreflect.Descriptor) string {
	switch d.(type) {
	case protoreflect.EnumDescriptor:
		return "an enum"
	case protoreflect.ServiceDescriptor:
		return "a service"
	case protoreflect.MessageDescriptor:
		return "an entry of a map"
	}
	return "something else"
}

// remedied is an error of the compiler with what to do.
func remedied(err error, imports []string) error {
	positioned, is := errors.AsType[reporter.ErrorWithPos](err)
	if !is {
		return err
	}
	at, what := positioned.GetPosition(), positioned.Unwrap()
	where := fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Col)
	var missing missingError
	switch {
	case errors.As(what, &missing):
		return fmt.Errorf("%s: %s is in none of %s: add the directory that it is below with -I (IMPORTS)", where, missing.name, strings.Join(imports, ", "))
	case strings.Contains(what.Error(), "cycle found in imports"):
		return fmt.Errorf("%s: %w: move what both need to a file of its own", where, what)
	}
	return fmt.Errorf("%s: %w: correct it so that protoc takes the file", where, what)
}
