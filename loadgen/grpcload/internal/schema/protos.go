package schema

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/rpcbench/rpcbench/loadgen/internal/regular"
)

// Compile returns the schema of .proto files, whose imports are looked for in directories;
// without any, in those of the files. A file may be given as a path, as protoc has it, or as
// imports name it.
func Compile(ctx context.Context, protos, imports []string) (*Schema, error) {
	if len(imports) == 0 {
		for _, p := range protos {
			imports = append(imports, filepath.Dir(p))
		}
	}
	var names []string
	for _, p := range protos {
		names = append(names, within(imports, p))
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: imports, Accessor: open}),
		// Of several errors the same one is told each time.
		MaxParallelism: 1,
	}
	linked, err := compiler.Compile(ctx, names...)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, protoregistry.NotFound) {
		return nil, fmt.Errorf("%w: the directories of imports are %s", err, strings.Join(imports, ", "))
	}
	if err != nil {
		return nil, err
	}
	files := new(protoregistry.Files)
	for _, f := range linked {
		if err := register(files, f); err != nil {
			return nil, err
		}
	}
	s, err := of(files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(protos, ", "), err)
	}
	return s, nil
}

func open(path string) (io.ReadCloser, error) { return regular.Open(path, largest) }

// within is the name by which a file is imported: its path below the first directory that has
// it.
func within(imports []string, file string) string {
	for _, dir := range imports {
		if name, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(name) {
			return filepath.ToSlash(name)
		}
	}
	return file
}

// register registers a file and, before it, what it imports.
func register(files *protoregistry.Files, f protoreflect.FileDescriptor) error {
	if _, err := files.FindFileByPath(f.Path()); err == nil {
		return nil
	}
	for i := range f.Imports().Len() {
		if err := register(files, f.Imports().Get(i).FileDescriptor); err != nil {
			return err
		}
	}
	return files.RegisterFile(f)
}
