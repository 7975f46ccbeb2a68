package schema

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/protoc"
)

// most is how many messages may be within the measured ones. Each becomes a struct and code
// of several generators.
const most = 1000

// Closure is what messages need: themselves and the messages and enums of their fields, and
// of theirs in turn, with their extensions.
type Closure struct {
	// Messages are those that were asked for first, then the others as they are met. Entries
	// of maps are among them.
	Messages []protoreflect.MessageDescriptor
	has      map[protoreflect.FullName]bool // of messages, enums and extensions
	files    []protoreflect.FileDescriptor  // imports first
}

// Closure returns what messages need. The error says that it is too much to generate.
func (s *Schema) Closure(messages ...protoreflect.MessageDescriptor) (*Closure, error) {
	c := &Closure{has: map[protoreflect.FullName]bool{}, files: protoc.InOrder(s.files)}
	w := walk{c, s.extensions()}
	for _, m := range messages {
		w.add(m)
	}
	for _, m := range messages {
		w.within(m)
	}
	if n := c.Structs(); n > most {
		return nil, fmt.Errorf("%s has %d messages within it: more than %d are not generated, so take a message that needs fewer", messages[0].FullName(), n, most)
	}
	return c, nil
}

// Structs counts messages without the entries of maps.
func (c *Closure) Structs() (n int) {
	for _, m := range c.Messages {
		if !m.IsMapEntry() {
			n++
		}
	}
	return n
}

// walk finds what is in a closure.
type walk struct {
	*Closure
	extensions map[protoreflect.FullName][]protoreflect.ExtensionDescriptor // by the extended message
}

// add lists a message, and reports whether it is a new one.
func (w walk) add(m protoreflect.MessageDescriptor) bool {
	if w.has[m.FullName()] {
		return false
	}
	w.has[m.FullName()] = true
	w.Messages = append(w.Messages, m)
	return true
}

// within adds what the fields of a message need.
func (w walk) within(m protoreflect.MessageDescriptor) {
	for i := range m.Fields().Len() {
		w.field(m.Fields().Get(i))
	}
	for _, x := range w.extensions[m.FullName()] {
		w.has[x.FullName()] = true
		w.field(x)
	}
}

func (w walk) field(f protoreflect.FieldDescriptor) {
	if m := f.Message(); m != nil && w.add(m) {
		w.within(m)
	}
	if f.Enum() != nil {
		w.has[f.Enum().FullName()] = true
	}
}

// extensions are all that are declared.
func (s *Schema) extensions() map[protoreflect.FullName][]protoreflect.ExtensionDescriptor {
	all := map[protoreflect.FullName][]protoreflect.ExtensionDescriptor{}
	add := func(list protoreflect.ExtensionDescriptors) {
		for i := range list.Len() {
			extended := list.Get(i).ContainingMessage().FullName()
			all[extended] = append(all[extended], list.Get(i))
		}
	}
	var visit func(protoreflect.MessageDescriptors)
	visit = func(messages protoreflect.MessageDescriptors) {
		for i := range messages.Len() {
			add(messages.Get(i).Extensions())
			visit(messages.Get(i).Messages())
		}
	}
	s.registry.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		add(f.Extensions())
		visit(f.Messages())
		return true
	})
	return all
}
