package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/protoc"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// module is the path of the repository's root.
const module = "github.com/rpcbench/rpcbench"

// vtproto are the plugin's options. Pooled messages keep their memory in ResetVT.
const vtproto = ",features=marshal+unmarshal+unmarshal_unsafe+size+pool,pool=" + module + "/codecs/adapters/internal/pb.*"

// hidden has protoc-gen-go hide the fields of its structs behind methods.
const hidden = ",default_api_level=API_OPAQUE"

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
		"bench.proto": "codecs/rpc/protobuf", "echo.proto": "codecs/rpc/protobuf", "large.proto": "frameworks/message/large",
		"bencher.proto": "frameworks/grpc/internal/bencher", "streamer.proto": "frameworks/grpc/internal/bencher",
		"brpc.proto": "frameworks/brpc/internal/meta",
	}
	dubbo := packages{"bench.proto": "frameworks/dubbo/internal/pb", "echo.proto": "frameworks/dubbo/internal/pb"}
	motan := packages{"bench.proto": "frameworks/motan/internal/pb", "echo.proto": "frameworks/motan/internal/pb"}
	nats := packages{"bench.proto": "frameworks/nats/internal/pb", "echo.proto": "frameworks/nats/internal/pb"}
	zrpc := packages{
		"bench.proto": "frameworks/zrpc/internal/pb", "echo.proto": "frameworks/zrpc/internal/pb",
		"bencher.proto": "frameworks/zrpc/internal/pb", "streamer.proto": "frameworks/zrpc/internal/pb",
	}
	trpc := packages{"bench.proto": "frameworks/trpc/internal/pb", "echo.proto": "frameworks/trpc/internal/pb"}
	frozenGRPC := packages{"bench.proto": "frameworks/grpc/frozen/internal/pb", "echo.proto": "frameworks/grpc/frozen/internal/pb"}
	frozenKitex := packages{"bench.proto": "frameworks/kitex/frozen/internal/pb", "echo.proto": "frameworks/kitex/frozen/internal/pb"}
	frozenRPCX := packages{"bench.proto": "frameworks/rpcx/frozen/internal/pb", "echo.proto": "frameworks/rpcx/frozen/internal/pb"}
	codecs := packages{"bench.proto": "codecs/adapters/internal/pb", "codecs.proto": "codecs/adapters/internal/pb"}
	opaque := packages{"opaque/bench.proto": "codecs/adapters/internal/opaque", "opaque/codecs.proto": "codecs/adapters/internal/opaque"}
	lazy := packages{"lazy/codecs.proto": "codecs/adapters/internal/lazy"}
	for _, p := range []plugin{
		{"protoc-gen-go", []string{"bench.proto", "echo.proto", "large.proto", "brpc.proto"}, root, ""},
		{"protoc-gen-go-grpc", []string{"bencher.proto", "streamer.proto"}, root, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, dubbo, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, motan, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, nats, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, zrpc, ""},
		{"protoc-gen-go-grpc", []string{"bencher.proto", "streamer.proto"}, zrpc, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, trpc, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, frozenGRPC, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, frozenKitex, ""},
		{"protoc-gen-go", []string{"bench.proto", "echo.proto"}, frozenRPCX, ""},
		{"protoc-gen-go", []string{"bench.proto", "codecs.proto"}, codecs, ""},
		{"protoc-gen-go-vtproto", []string{"bench.proto", "echo.proto", "large.proto"}, root, ",features=marshal+unmarshal+size"},
		{"protoc-gen-go-vtproto", []string{"bench.proto", "codecs.proto"}, codecs, vtproto},
		{"protoc-gen-go", []string{"opaque/bench.proto", "opaque/codecs.proto"}, opaque, hidden},
		{"protoc-gen-go", []string{"lazy/codecs.proto"}, lazy, hidden},
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
	response, err := protoc.Run(r.path("bin/"+p.name), &pluginpb.CodeGeneratorRequest{FileToGenerate: p.files, Parameter: &option, ProtoFile: files})
	if err != nil {
		return err
	}
	return protoc.Write(r.root, response)
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
func compile(dir string, names []string) (files []*descriptorpb.FileDescriptorProto, err error) {
	compiler := protocompile.Compiler{
		Resolver:       &protocompile.SourceResolver{ImportPaths: []string{dir}, Accessor: open},
		SourceInfoMode: protocompile.SourceInfoStandard, // comments become Go comments
	}
	linked, err := compiler.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	for _, f := range protoc.InOrder(linked) {
		files = append(files, protodesc.ToFileDescriptorProto(f))
	}
	return files, nil
}

// open opens a .proto file. One in a directory that does not exist is a copy of the file
// beside that directory, of a package named after it: a program cannot have
// two files with the same messages.
func open(name string) (io.ReadCloser, error) {
	if file, err := os.Open(name); !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	dir, file := filepath.Split(filepath.Clean(name))
	text, err := os.ReadFile(filepath.Join(dir, "..", file))
	if err != nil {
		return nil, err
	}
	return io.NopCloser(strings.NewReader(copied(string(text), filepath.Base(dir)))), nil
}

// copied is the text of a copy of a .proto file. In package lazy the outermost fields
// that hold messages are decoded when they are first read.
func copied(text, name string) string {
	text = strings.Replace(text, "\npackage rpcbench;", "\npackage rpcbench."+name+";", 1)
	if name == "lazy" {
		text = regexp.MustCompile(`(  (?:repeated Item items|Label label) = \d+);`).ReplaceAllString(text, "$1 [lazy = true];")
	}
	return text
}
