// Package schema finds the methods of gRPC services: in a descriptor set, in .proto files, or
// by asking a server.
package schema

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
)

// Schema is what is known of the services of a server.
type Schema struct {
	services []protoreflect.FullName
	find     func(protoreflect.FullName) (protoreflect.Descriptor, error)
	types    Types
}

// Types finds the messages within an Any, and extensions, by their names in JSON.
type Types interface {
	protoregistry.MessageTypeResolver
	protoregistry.ExtensionTypeResolver
}

// Types are those that the schema declares.
func (s *Schema) Types() Types { return s.types }

// of is the schema of files.
func of(files *protoregistry.Files) (*Schema, error) {
	s := &Schema{find: files.FindDescriptorByName, types: dynamicpb.NewTypes(files)}
	files.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			s.services = append(s.services, f.Services().Get(i).FullName())
		}
		return true
	})
	if len(s.services) == 0 {
		return nil, errors.New("it declares no service")
	}
	return s, nil
}

// Method returns the method of a name such as "package.Service/Method". The error says which
// there are.
func (s *Schema) Method(name string) (protoreflect.MethodDescriptor, error) {
	path, method, found := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	if !found || path == "" || method == "" {
		return nil, fmt.Errorf("%q is no method: it looks like package.Service/Method; the services are %s", name, some(s.services))
	}
	service, err := s.service(protoreflect.FullName(path))
	if err != nil {
		return nil, err
	}
	if m := service.Methods().ByName(protoreflect.Name(method)); m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("%s has no method %s: it has %s", path, method, some(methods(service)))
}

func (s *Schema) service(name protoreflect.FullName) (protoreflect.ServiceDescriptor, error) {
	found, err := s.find(name)
	if err != nil && !errors.Is(err, protoregistry.NotFound) {
		return nil, fmt.Errorf("the service %s cannot be read: %w", name, err)
	}
	service, is := found.(protoreflect.ServiceDescriptor)
	if err != nil && slices.Contains(s.services, name) {
		return nil, fmt.Errorf("the server's reflection lists %s, but lacks its description or what that imports", name)
	}
	if !is {
		return nil, fmt.Errorf("there is no service %s: there is %s", name, some(s.services))
	}
	return service, nil
}

func methods(s protoreflect.ServiceDescriptor) (names []protoreflect.Name) {
	for i := range s.Methods().Len() {
		names = append(names, s.Methods().Get(i).Name())
	}
	return names
}

// some are the first of names, by the alphabet.
func some[T ~string](names []T) string {
	const most = 20
	var list []string
	for _, name := range slices.Sorted(slices.Values(names)) {
		list = append(list, string(name))
	}
	switch more := len(list) - most; {
	case len(list) == 0:
		return "none"
	case more > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), more)
	}
	return strings.Join(list, ", ")
}
