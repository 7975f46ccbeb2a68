package schema

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

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
