package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/samples"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

// input is what the flags mean, read and checked.
type input struct {
	given             *options
	root              string                         // rpcbench's directory
	base              string                         // of the cache
	message, reply    protoreflect.MessageDescriptor // reply is message if none was named
	closure           *schema.Closure
	requests, replies samples.List // replies is nil if no reply was named
	field, replyField string
	serializers       []module.Codec
	frameworks        []string
}

// read reads all that is given. What is worth knowing of it is said.
func (o *options) read(said io.Writer) (*input, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	in := &input{given: o}
	if err := in.selection(); err != nil {
		return nil, err
	}
	if err := in.directories(); err != nil {
		return nil, err
	}
	s, err := in.schema()
	if err != nil || o.printDir {
		return in, err
	}
	return in, in.samples(s, said)
}

// selection reads what is to be measured.
func (in *input) selection() (err error) {
	if in.serializers, err = in.given.serializers(); err != nil {
		return err
	}
	if in.frameworks, err = in.given.measured(); err != nil {
		return err
	}
	if len(in.serializers)+len(in.frameworks) == 0 {
		return fmt.Errorf("-codecs=%s and -frameworks=%[1]s leave nothing to measure", none)
	}
	return nil
}

// directories reads where the modules are made, and from what.
func (in *input) directories() (err error) {
	if in.root, err = in.given.path(in.given.root); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(in.root, "codecs", "adapters", "go.mod")); err != nil {
		return fmt.Errorf("-root=%s is not rpcbench's directory: %w", in.root, err)
	}
	in.base, err = in.given.base()
	return err
}

// schema reads the .proto files, and finds in them what the flags name.
func (in *input) schema() (*schema.Schema, error) {
	imports, err := in.given.imported()
	if err != nil {
		return nil, err
	}
	files, err := in.given.files(imports)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(files, imports)
	if err != nil {
		return nil, err
	}
	if err := in.find(s); err != nil {
		return nil, err
	}
	return s, in.fields()
}

// find finds the message and the reply, and all that they need.
func (in *input) find(s *schema.Schema) (err error) {
	if in.message, err = s.Find(in.given.message); err != nil {
		return err
	}
	if in.reply = in.message; in.given.reply != "" {
		if in.reply, err = s.Find(in.given.reply); err != nil {
			return err
		}
	}
	if in.closure, err = s.Closure(in.message, in.reply); err != nil {
		return err
	}
	return in.closure.Check()
}

// samples reads the samples. A reply that is named and is the message has the same ones,
// unless it has its own.
func (in *input) samples(s *schema.Schema, said io.Writer) (err error) {
	in.requests, err = in.list(s, in.message, in.given.samples, said)
	if err != nil || in.given.reply == "" {
		return err
	}
	if in.replies = in.requests; in.same() && in.given.replySamples == "" {
		return nil
	}
	in.replies, err = in.list(s, in.reply, in.given.replySamples, said)
	return err
}

// same reports whether the reply is of the message's type.
func (in *input) same() bool { return in.reply.FullName() == in.message.FullName() }

// name is the value of the key msg=.
func (in *input) name() string { return string(in.message.Name()) }

// list reads the samples of a message, or makes some.
func (in *input) list(s *schema.Schema, m protoreflect.MessageDescriptor, value string, said io.Writer) (samples.List, error) {
	if value == "" {
		return in.made(m, said)
	}
	patterns, err := in.given.patterns(value)
	if err != nil {
		return nil, err
	}
	list, notes, err := samples.Source{Message: m, Types: s.Types(), Most: in.given.n}.Read(patterns)
	for _, note := range notes {
		fmt.Fprintln(said, note)
	}
	return list, err
}

// made makes samples by the seed.
func (in *input) made(m protoreflect.MessageDescriptor, said io.Writer) (samples.List, error) {
	o := in.given
	least, most, err := o.lengths()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(said, "%d messages %s are made by -seed=%d, with strings of %s, integers of any number of bits, 0 to 4 elements in a list and 3 of 4 optional fields: samples of your own are better, since sizes decide\n", o.n, m.FullName(), o.seed, o.fill)
	return samples.Filler{Message: m, Seed: o.seed, Least: least, Most: most}.Fill(o.n)
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
	fmt.Fprintf(hash, "%s %s %s %s\n", in.root, in.message.FullName(), in.reply.FullName(), request)
	return strings.ToLower(in.name()) + "-" + hex.EncodeToString(hash.Sum(nil))[:16], nil
}
