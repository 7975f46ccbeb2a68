package schema

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
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

// standard reports whether the Go code of a file is in module google.golang.org/protobuf.
func standard(path string) bool { return strings.HasPrefix(path, "google/protobuf/") }

// prune leaves in a file what the closure needs.
func (c *Closure) prune(file *descriptorpb.FileDescriptorProto) {
	pkg := protoreflect.FullName(file.GetPackage())
	file.SourceCodeInfo, file.Service = nil, nil
	file.Dependency, file.PublicDependency, file.WeakDependency, file.OptionDependency = nil, nil, nil, nil
	file.Options = &descriptorpb.FileOptions{Features: file.GetOptions().GetFeatures()}
	file.MessageType = c.messages(pkg, file.MessageType)
	file.EnumType = c.enums(pkg, file.EnumType)
	file.Extension = c.kept(pkg, file.Extension)
	strip(file.ProtoReflect())
}

// messages are those that are needed, and those around such, which lose their fields.
func (c *Closure) messages(scope protoreflect.FullName, list []*descriptorpb.DescriptorProto) (kept []*descriptorpb.DescriptorProto) {
	for _, m := range list {
		name := appended(scope, m.GetName())
		m.NestedType = c.messages(name, m.NestedType)
		m.EnumType = c.enums(name, m.EnumType)
		m.Extension = c.kept(name, m.Extension)
		if !c.has[name] {
			*m = descriptorpb.DescriptorProto{Name: m.Name, NestedType: m.NestedType, EnumType: m.EnumType, Extension: m.Extension}
		}
		if c.has[name] || len(m.NestedType)+len(m.EnumType)+len(m.Extension) > 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

func (c *Closure) enums(scope protoreflect.FullName, list []*descriptorpb.EnumDescriptorProto) []*descriptorpb.EnumDescriptorProto {
	return slices.DeleteFunc(list, func(e *descriptorpb.EnumDescriptorProto) bool { return !c.has[appended(scope, e.GetName())] })
}

func (c *Closure) kept(scope protoreflect.FullName, list []*descriptorpb.FieldDescriptorProto) []*descriptorpb.FieldDescriptorProto {
	return slices.DeleteFunc(list, func(x *descriptorpb.FieldDescriptorProto) bool { return !c.has[appended(scope, x.GetName())] })
}

// appended is the full name of what a package or a message declares.
func appended(scope protoreflect.FullName, name string) protoreflect.FullName {
	if scope == "" {
		return protoreflect.FullName(name)
	}
	return scope.Append(protoreflect.Name(name))
}

func empty(file *descriptorpb.FileDescriptorProto) bool {
	return len(file.MessageType)+len(file.EnumType)+len(file.Extension) == 0
}

// strip takes the user's own options and features of languages out of options.
func strip(m protoreflect.Message) {
	m.SetUnknown(nil)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsExtension():
			m.Clear(f)
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				strip(v.List().Get(i).Message())
			}
		case f.Message() != nil:
			strip(v.Message())
		}
		return true
	})
}

// renaming gives what files declare new names.
type renaming struct {
	names map[string]string // the old full names, each after a dot
	homes map[string]string // the files of the new ones
	taken map[string]bool   // Go's names of what packages declare
}

// rename names what a file declares anew: below a prefix, and so that its Go names are its
// own.
func (r *renaming) rename(file *descriptorpb.FileDescriptorProto, prefix string) {
	old := dotted("", file.GetPackage())
	file.Package = proto.String(strings.TrimPrefix(dotted("."+prefix, file.GetPackage()), "."))
	scope := "." + file.GetPackage()
	for _, m := range file.MessageType {
		was := dotted(old, m.GetName())
		m.Name = r.unique(m.GetName())
		r.nested(was, dotted(scope, m.GetName()), m)
	}
	for _, e := range file.EnumType {
		was := dotted(old, e.GetName())
		e.Name = r.unique(e.GetName())
		r.names[was] = dotted(scope, e.GetName())
	}
	for _, x := range file.Extension {
		x.Name = r.unique(x.GetName())
	}
}

// unique is a name that is Go's for nothing else.
func (r *renaming) unique(name string) *string {
	for goName(name) == "" || r.taken[goName(name)] {
		name += "_2"
	}
	r.taken[goName(name)] = true
	return &name
}

// goName is the Go name of a .proto name, whose case is lost.
func goName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func (r *renaming) nested(was, is string, m *descriptorpb.DescriptorProto) {
	r.names[was] = is
	for _, e := range m.EnumType {
		r.names[dotted(was, e.GetName())] = dotted(is, e.GetName())
	}
	for _, n := range m.NestedType {
		r.nested(dotted(was, n.GetName()), dotted(is, n.GetName()), n)
	}
}

func dotted(scope, name string) string {
	if name == "" {
		return scope
	}
	return scope + "." + name
}

// settle says that a file has what it declares.
func (r *renaming) settle(file *descriptorpb.FileDescriptorProto) {
	scope := dotted("", file.GetPackage())
	for _, e := range file.EnumType {
		r.homes[dotted(scope, e.GetName())] = file.GetName()
	}
	var visit func(string, []*descriptorpb.DescriptorProto)
	visit = func(scope string, list []*descriptorpb.DescriptorProto) {
		for _, m := range list {
			name := dotted(scope, m.GetName())
			r.homes[name] = file.GetName()
			for _, e := range m.EnumType {
				r.homes[dotted(name, e.GetName())] = file.GetName()
			}
			visit(name, m.NestedType)
		}
	}
	visit(scope, file.MessageType)
}

// refer has the fields of a file refer to the new names, and the file import their files.
func (r *renaming) refer(file *descriptorpb.FileDescriptorProto) {
	reference := func(name *string) *string {
		if name == nil {
			return nil
		}
		is := *name
		if renamed := r.names[is]; renamed != "" {
			is = renamed
		}
		if home := r.homes[is]; home != file.GetName() && !slices.Contains(file.Dependency, home) {
			file.Dependency = append(file.Dependency, home)
		}
		return &is
	}
	fields := func(list []*descriptorpb.FieldDescriptorProto) {
		for _, f := range list {
			f.TypeName, f.Extendee = reference(f.TypeName), reference(f.Extendee)
		}
	}
	var visit func([]*descriptorpb.DescriptorProto)
	visit = func(list []*descriptorpb.DescriptorProto) {
		for _, m := range list {
			fields(m.Field)
			fields(m.Extension)
			visit(m.NestedType)
		}
	}
	fields(file.Extension)
	visit(file.MessageType)
}
