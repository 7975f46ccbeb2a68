package schema

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// renaming gives what files declare new names.
type renaming struct {
	names map[string]string // the old full names, each after a dot
	homes map[string]string // the files of the new ones
	taken map[string]bool   // Go's names of what packages declare
}

// rename gives what a file declares names below a prefix. Nothing else has their Go names.
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

// settle notes which file declares a message or an enum.
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

// refer sets the types of a file's fields to the new names, and imports the files that declare
// them.
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
