// Package protoc does the part of protoc that comes after the compiler: it runs plugins over
// descriptors and writes what they answer.
package protoc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/pluginpb"
)

// InOrder lists files and their imports, imports first, each once.
func InOrder(files linker.Files) (ordered []protoreflect.FileDescriptor) {
	seen := map[string]bool{}
	var visit func(protoreflect.FileDescriptor)
	visit = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			visit(f.Imports().Get(i).FileDescriptor)
		}
		ordered = append(ordered, f)
	}
	for _, f := range files {
		visit(f)
	}
	return ordered
}

// Run has a plugin answer the request over its standard streams. The error has what the
// plugin said.
func Run(program string, request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	in, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &said
	reply, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	response := &pluginpb.CodeGeneratorResponse{}
	return response, proto.Unmarshal(reply, response)
}

// Write writes the files of a response below a directory. It fails if the response is an error.
func Write(dir string, response *pluginpb.CodeGeneratorResponse) error {
	if response.Error != nil {
		return errors.New(response.GetError())
	}
	for _, f := range response.File {
		name := filepath.Join(dir, filepath.FromSlash(f.GetName()))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
