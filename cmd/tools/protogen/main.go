// Protogen compiles .proto files and has a protoc plugin generate code from
// them, so that no protoc is needed. The plugin is a tool of this module.
//
//	protogen -I dir -plugin protoc-gen-go -opt module=example.org/m -out dir file.proto...
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

var (
	include = flag.String("I", ".", "directory of the .proto files")
	plugin  = flag.String("plugin", "protoc-gen-go", "name of the plugin, a tool of this module")
	option  = flag.String("opt", "", "parameter of the plugin")
	out     = flag.String("out", ".", "directory under which the plugin's files are written")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if err := generate(flag.Args()); err != nil {
		log.Fatal("protogen: ", err)
	}
}

func generate(names []string) error {
	files, err := compile(names)
	if err != nil {
		return err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: names, Parameter: option, ProtoFile: files}
	response, err := runPlugin(request)
	if err != nil {
		return err
	}
	return write(response)
}

// compile returns the descriptors of the files, each after its imports, as
// plugins want them.
func compile(names []string) ([]*descriptorpb.FileDescriptorProto, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{*include}},
		SourceInfoMode: protocompile.SourceInfoStandard, // comments become Go comments
	}
	linked, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	return inOrder(linked), nil
}

// inOrder lists files and their imports, imports first, each once.
func inOrder(files linker.Files) (ordered []*descriptorpb.FileDescriptorProto) {
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
		ordered = append(ordered, protodesc.ToFileDescriptorProto(f))
	}
	for _, f := range files {
		visit(f)
	}
	return ordered
}

// runPlugin has the plugin answer the request over its standard streams.
func runPlugin(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	in, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "tool", *plugin)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	reply, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	response := &pluginpb.CodeGeneratorResponse{}
	return response, proto.Unmarshal(reply, response)
}

func write(response *pluginpb.CodeGeneratorResponse) error {
	if response.Error != nil {
		return errors.New(response.GetError())
	}
	for _, f := range response.File {
		name := filepath.Join(*out, filepath.FromSlash(f.GetName()))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.GetContent()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
