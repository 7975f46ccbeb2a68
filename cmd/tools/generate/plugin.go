package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// module is the path of the repository's root.
const module = "github.com/rpcbench/rpcbench"

// vtproto are the plugin's options. Pooled messages keep their memory in ResetVT.
const vtproto = ",features=marshal+unmarshal+unmarshal_unsafe+size+pool,pool=" + module + "/codecs/adapters/internal/pb.*"

// plugin is one of protoc's and what it makes. The files are compiled here, so
// that no protoc is needed.
type plugin struct {
	name   string
	files  []string
	into   packages
	option string // more of them, after a comma each
}

// packages are the directories of the packages of .proto files.
type packages map[string]string

// plugins runs those of protoc.
func (r repository) plugins() error {
	root := packages{
		"bench.proto": "codecs/rpc/protobuf", "echo.proto": "codecs/rpc/protobuf",
		"bencher.proto": "frameworks/grpc/internal/bencher", "streamer.proto": "frameworks/grpc/internal/bencher",
		"brpc.proto": "frameworks/brpc/internal/meta",
	}
	dubbo := packages{"bench.proto": "frameworks/dubbo/internal/pb", "echo.proto": "frameworks/dubbo/internal/pb"}
	motan := packages{"bench.proto": "frameworks/motan/internal/pb", "echo.proto": "frameworks/motan/internal/pb"}
	codecs := packages{"bench.proto": "codecs/adapters/internal/pb", "codecs.proto": "codecs/adapters/internal/pb"}
	for _, p := range []plugin{
		{"protoc-gen-go", []string{"bench.proto", "echo.proto", "brpc.proto"}, root, ""},
		{"protoc-gen-go-grpc", []string{"bencher.proto", "streamer.proto"}, root, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, dubbo, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, motan, ""},
		{"protoc-gen-go", []string{"bench.proto", "codecs.proto"}, codecs, ""},
		{"protoc-gen-go-vtproto", []string{"bench.proto", "echo.proto"}, root, ",features=marshal+unmarshal+size"},
		{"protoc-gen-go-vtproto", []string{"bench.proto", "codecs.proto"}, codecs, vtproto},
	} {
		if err := p.generate(r); err != nil {
			return fmt.Errorf("%s of %s: %w", p.name, strings.Join(p.files, " "), err)
		}
	}
	return nil
}

// generate has the plugin write its files.
func (p plugin) generate(r repository) error {
	files, err := compile(r.path("testdata"), p.files)
	if err != nil {
		return err
	}
	option := p.into.option() + p.option
	response, err := p.run(r, &pluginpb.CodeGeneratorRequest{FileToGenerate: p.files, Parameter: &option, ProtoFile: files})
	if err != nil {
		return err
	}
	return write(r.root, response)
}

// option says to a plugin where the Go code of each file belongs.
func (p packages) option() string {
	option := "module=" + module
	for _, file := range slices.Sorted(maps.Keys(p)) {
		option += fmt.Sprintf(",M%s=%s/%s;%s", file, module, p[file], path.Base(p[file]))
	}
	return option
}

// compile returns the descriptors of the files, each after its imports, as
// plugins want them.
func compile(dir string, names []string) ([]*descriptorpb.FileDescriptorProto, error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{dir}},
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

// run has the plugin answer the request over its standard streams.
func (p plugin) run(r repository, request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	in, err := proto.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(r.path("bin/" + p.name))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	reply, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	response := &pluginpb.CodeGeneratorResponse{}
	return response, proto.Unmarshal(reply, response)
}

// write writes the files of a response below a directory.
func write(dir string, response *pluginpb.CodeGeneratorResponse) error {
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
