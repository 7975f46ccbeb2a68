package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/samples"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

// input is what the flags mean, read and checked.
type input struct {
	options
	name              string // msg=
	closure           *schema.Closure
	requests, replies samples.List // replies is nil if the reply is the message
	field, replyField string
	serializers       []module.Codec
	frameworks        []string
	base              string // of the cache
}

// read reads all that is given. What is worth knowing of it is said.
func (o *options) read(said io.Writer) (in *input, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	in = &input{options: *o}
	for _, step := range []func(io.Writer) error{in.selection, in.schemas} {
		if err := step(said); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// selection reads what is to be measured, and where it is made.
func (in *input) selection(io.Writer) (err error) {
	if in.serializers, err = in.options.serializers(); err != nil {
		return err
	}
	if in.frameworks, err = in.measured(); err != nil {
		return err
	}
	if len(in.serializers)+len(in.frameworks) == 0 {
		return fmt.Errorf("-codecs=%s and -frameworks=%[1]s leave nothing to measure", none)
	}
	if in.root, err = in.path(in.root); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(in.root, "codecs", "adapters", "go.mod")); err != nil {
		return fmt.Errorf("-root=%s is not rpcbench's directory: %w", in.root, err)
	}
	in.base, err = in.options.base()
	return err
}

// schemas reads the .proto files and the samples.
func (in *input) schemas(said io.Writer) error {
	imports, err := in.paths(words(in.imports))
	if err != nil {
		return err
	}
	files, err := in.files(imports)
	if err != nil {
		return err
	}
	s, err := schema.Compile(files, imports)
	if err != nil {
		return err
	}
	message, err := s.Find(in.message)
	if err != nil {
		return err
	}
	reply := message
	if in.reply != "" {
		if reply, err = s.Find(in.reply); err != nil {
			return err
		}
	}
	in.name = string(message.Name())
	if in.closure, err = s.Closure(message, reply); err != nil {
		return err
	}
	if err := in.closure.Check(); err != nil {
		return err
	}
	if err := in.fields(message, reply); err != nil {
		return err
	}
	if in.printDir {
		return nil
	}
	if in.requests, err = in.list(s, message, in.samples, said); err != nil || in.reply == "" {
		return err
	}
	in.replies, err = in.list(s, reply, in.replySamples, said)
	return err
}

// files are the paths of the .proto files. One that is not there is looked for in the
// directories of imports, as protoc does.
func (in *input) files(imports []string) (files []string, err error) {
	for _, word := range words(in.proto) {
		file, err := in.path(word)
		if err != nil {
			return nil, err
		}
		for _, dir := range imports {
			if at := filepath.Join(dir, word); !exists(file) && exists(at) {
				file = at
			}
		}
		files = append(files, file)
	}
	return files, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// list reads the samples of a message, or makes some.
func (in *input) list(s *schema.Schema, m protoreflect.MessageDescriptor, patterns string, said io.Writer) (samples.List, error) {
	if patterns == "" {
		least, most, err := in.lengths()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(said, "%d messages %s are made by -seed=%d, with strings of %s, integers of any number of bits, 0 to 4 elements in a list and 3 of 4 optional fields: samples of your own are better, since sizes decide\n", in.n, m.FullName(), in.seed, in.fill)
		return samples.Filler{Message: m, Seed: in.seed, Least: least, Most: most}.Fill(in.n)
	}
	files, err := in.paths(strings.Fields(patterns))
	if err != nil {
		return nil, err
	}
	list, notes, err := samples.Source{Message: m, Types: s.Types(), Most: in.n}.Read(files)
	for _, note := range notes {
		fmt.Fprintln(said, note)
	}
	return list, err
}

// fields reads -field.
func (in *input) fields(message, reply protoreflect.MessageDescriptor) error {
	if in.options.field == "" {
		return nil
	}
	request, ofReply, two := strings.Cut(in.options.field, ":")
	if !two {
		ofReply = request
	}
	if err := changing(message, request); err != nil {
		return err
	}
	if err := changing(reply, ofReply); err != nil {
		return err
	}
	in.field, in.replyField = request, ofReply
	return nil
}

// changing returns an error for a field that cannot differ from call to call without changing
// how long the message is.
func changing(m protoreflect.MessageDescriptor, name string) error {
	var names []string
	for i := range m.Fields().Len() {
		if f := m.Fields().Get(i); numbered(f) {
			names = append(names, string(f.Name()))
		}
	}
	f := m.Fields().ByName(protoreflect.Name(name))
	switch {
	case f != nil && numbered(f):
		return nil
	case f != nil && len(names) == 0:
		return fmt.Errorf("-field=%s cannot hold the number of a call, nor can another field of %s: leave it out, and stale replies cannot be told", name, m.FullName())
	case f != nil:
		return fmt.Errorf("-field=%s cannot hold the number of a call, which takes a number, a string or bytes, outside of lists, maps and oneofs: %s has %s", name, m.FullName(), strings.Join(names, ", "))
	case len(names) == 0:
		return fmt.Errorf("-field=%s is no field of %s, and none of its fields can hold the number of a call: leave it out, and stale replies cannot be told", name, m.FullName())
	}
	if near := commandline.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("-field=%s is no field of %s: %s", name, m.FullName(), commandline.DidYouMean(near))
	}
	return fmt.Errorf("-field=%s is no field of %s: there are %s", name, m.FullName(), strings.Join(names, ", "))
}

// numbered reports whether a field can hold the number of a call. All numbers have one size,
// as varints and as text.
func numbered(f protoreflect.FieldDescriptor) bool {
	kinds := []protoreflect.Kind{protoreflect.BoolKind, protoreflect.EnumKind, protoreflect.MessageKind, protoreflect.GroupKind}
	part := f.ContainingOneof() != nil && !f.ContainingOneof().IsSynthetic()
	return !f.IsList() && !f.IsMap() && !part && !slices.Contains(kinds, f.Kind())
}

// key names the directory of what is made: by the schema and its messages, by this program,
// which makes it, by the versions of the generators, and by rpcbench's directory.
func (in *input) key() (string, error) {
	request, err := proto.MarshalOptions{Deterministic: true}.Marshal(in.closure.Package("key", "key").Request)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	for _, file := range []string{self, filepath.Join(in.root, "cmd", "tools", "go.mod")} {
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		hash.Write(text)
	}
	fmt.Fprintf(hash, "%s %s %s %s\n", in.root, in.message, in.reply, request)
	return strings.ToLower(in.name) + "-" + hex.EncodeToString(hash.Sum(nil))[:16], nil
}
