package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// Package is a closure as one Go package.
type Package struct {
	// Request asks plugins of protoc for its code.
	Request *pluginpb.CodeGeneratorRequest
	names   map[string]string
}

// Package makes a Go package of a closure, whose import path is given. The names of the .proto
// packages get a prefix: a program cannot have two messages of one name, as of two Go
// packages of the same schema. Options are left out, but for those that the encoding depends
// on.
func (c *Closure) Package(prefix, importPath string) Package {
	r := &renaming{names: map[string]string{}, homes: map[string]string{}, taken: map[string]bool{}}
	var files []*descriptorpb.FileDescriptorProto
	request := &pluginpb.CodeGeneratorRequest{}
	for i, f := range c.files {
		file := protodesc.ToFileDescriptorProto(f)
		if !standard(f.Path()) {
			c.prune(file)
			file.Name = proto.String(fmt.Sprintf("%s/file%d.proto", prefix, i))
			r.rename(file, prefix)
			file.Options.GoPackage = &importPath
		}
		r.settle(file)
		files = append(files, file)
		if !standard(f.Path()) && !empty(file) {
			request.FileToGenerate = append(request.FileToGenerate, file.GetName())
		}
	}
	for _, file := range files {
		if slices.Contains(request.FileToGenerate, file.GetName()) {
			r.refer(file)
		}
	}
	request.ProtoFile = needed(files, request.FileToGenerate)
	return Package{request, r.names}
}

// needed are the files of names, and those that they import.
func needed(files []*descriptorpb.FileDescriptorProto, names []string) (list []*descriptorpb.FileDescriptorProto) {
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, file := range slices.Backward(files) { // importers come after their imports
		if wanted[file.GetName()] {
			list = append(list, file)
			for _, name := range file.Dependency {
				wanted[name] = true
			}
		}
	}
	slices.Reverse(list)
	return list
}

// Messages are the messages of the closure as Go code has them. The first ones are those that
// the closure was made for.
func (p Package) Messages(c *Closure) (list []*protogen.Message, err error) {
	plugin, err := protogen.Options{}.New(proto.CloneOf(p.Request))
	if err != nil {
		return nil, err
	}
	all := map[string]*protogen.Message{}
	for _, f := range plugin.Files {
		collect(all, f.Messages)
	}
	for _, m := range c.Messages {
		name := string(m.FullName())
		if renamed := p.names["."+name]; renamed != "" {
			name = renamed[1:]
		}
		if !m.IsMapEntry() {
			list = append(list, all[name])
		}
	}
	return list, nil
}

// generated begins errors about the files that Package makes.
var generated = regexp.MustCompile(`^invalid FileDescriptorProto "[^"]*": proto:[\s\x{a0}]*`)

// Check returns an error for what the compiler takes, but protoc-gen-go does not.
func (c *Closure) Check() error {
	if _, err := c.Package("own", "own.own/own").Messages(c); err != nil {
		said := generated.ReplaceAllString(err.Error(), "")
		return fmt.Errorf("the schema is not valid: %s", strings.ReplaceAll(said, `"own.`, `"`))
	}
	return nil
}

func collect(all map[string]*protogen.Message, list []*protogen.Message) {
	for _, m := range list {
		all[string(m.Desc.FullName())] = m
		collect(all, m.Messages)
	}
}
