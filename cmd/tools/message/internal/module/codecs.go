package module

import (
	"bytes"
	_ "embed"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// Codec is a serializer in one configuration.
type Codec struct {
	Name, Mode string
	// Part is the package that has its structs; "" for the messages' own.
	Part string
	// Entry is Go code for its entry in the table.
	Entry string
}

// ID names a codec as keys do.
func (c Codec) ID() string {
	if c.Mode == "" {
		return c.Name
	}
	return c.Name + "-" + c.Mode
}

// The packages of structs in a module of serializers.
const (
	Messages = "pb"      // the open API of protoc-gen-go
	VTProto  = "vtproto" // methods in package pb
	Opaque   = "opaque"
	Structs  = "structs" // plain ones
	MsgPack  = "msgpack"
	EasyJSON = "easyjson"
	Prutal   = "prutal"
)

// Codecs are the serializers that can take a .proto. T is the message.
func Codecs() (list []Codec) {
	list = []Codec{
		{"protobuf", "", "", "protobuf.Own[pb.T](suite.Conversion[pb.T]{})"},
		{"protobuf", "opaque", Opaque, "protobuf.OwnOpaque[opaque.T](suite.Conversion[opaque.T]{})"},
		{"vtproto", "", VTProto, "vtproto.Own[pb.T](suite.Conversion[pb.T]{})"},
		{"vtproto", "unsafe", VTProto, "vtproto.OwnUnsafe[pb.T](suite.Conversion[pb.T]{})"},
		{"hyperpb", "", "", "hyperpb.Own[pb.T]()"},
		{"prutal", "", Prutal, "prutal.Own(message.Encoded(marshalPrutal, unmarshalPrutal))"},
		{"sonic", "std", Structs, "sonic.OwnStd(plain.Conversion[structs.T]())"},
		{"gob", "stream", Structs, "gob.OwnStream(plain.Conversion[structs.T]())"},
		{"msgp", "", MsgPack, "msgp.Own[msgpackstructs.T](plain.Conversion[msgpackstructs.T]())"},
		{"easyjson", "", EasyJSON, "easyjson.Own[easyjsonstructs.T](plain.Conversion[easyjsonstructs.T]())"},
	}
	for _, name := range []string{"json", "jsonv2", "goccy", "segmentio", "sonic", "gob", "msgpack", "shamaton", "cbor"} {
		list = append(list, Codec{name, "", Structs, name + ".Own(plain.Conversion[structs.T]())"})
	}
	return list
}

// Others are the serializers that cannot take a .proto, and why.
func Others() map[string]string {
	const thrift = "its structs are generated from .thrift"
	return map[string]string{
		"thrift": thrift, "kitex": thrift, "frugal": thrift,
		"capnp": "its structs are generated from .capnp", "flatbuffers": "its structs are generated from .fbs",
		"avro": "its schema is .avsc", "mus": "its code is generated from Go by a program for each message",
		"hand": "its code is written by hand for each message",
	}
}

// All are the serializers of Codecs and, with names alone, those of Others.
func All() []Codec {
	list := Codecs()
	for _, name := range slices.Sorted(maps.Keys(Others())) {
		list = append(list, Codec{Name: name})
	}
	return list
}

// Table is the test of a module of serializers.
type Table struct {
	Name    string            // msg=
	Module  string            // the path of the module
	Types   map[string]string // of the message, by part
	Codecs  []Codec
	Refused map[string]string // the reasons, by part
}

//go:embed codecs_test.tmpl
var codecsTest string

// Entries is the Go code of the table's entries, those that are refused with the reason.
func (t Table) Entries() (list []string) {
	for _, c := range t.Codecs {
		if reason := t.reason(c); reason != "" {
			list = append(list, "message.Refused("+quoted(c.Name)+", "+quoted(c.Mode)+", "+quoted(reason)+")")
			continue
		}
		list = append(list, strings.ReplaceAll(c.Entry, "T]", t.Types[t.types(c)]+"]"))
	}
	return list
}

// types is the package of a codec's structs.
func (t Table) types(c Codec) string {
	if c.Part == "" || c.Part == VTProto {
		return Messages
	}
	return c.Part
}

// reason says why a codec cannot be measured; "" if it can.
func (t Table) reason(c Codec) string {
	if c.Entry == "" {
		return Others()[c.Name]
	}
	return t.Refused[c.Part]
}

// Imports are the packages that the entries use, and the one of the messages.
func (t Table) Imports() []string {
	set := map[string]bool{quoted(t.Module + "/" + Messages): true}
	for _, c := range t.Codecs {
		if t.reason(c) != "" {
			continue
		}
		set[quoted(repository+"/codecs/adapters/"+c.Name)] = true
		switch part := t.types(c); part {
		case MsgPack, EasyJSON, Prutal:
			set[part+"structs "+quoted(t.Module+"/"+part)] = true
		default:
			set[quoted(t.Module+"/"+part)] = true
		}
		if strings.Contains(c.Entry, "plain.") {
			set[quoted(repository+"/codecs/adapters/plain")] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// HasPrutal reports whether prutal is measured.
func (t Table) HasPrutal() bool {
	return slices.ContainsFunc(t.Codecs, func(c Codec) bool { return c.Part == Prutal && t.reason(c) == "" })
}

// Type is the message in package pb, PrutalType in package prutal.
func (t Table) Type() string       { return t.Types[Messages] }
func (t Table) PrutalType() string { return t.Types[Prutal] }

// Text is the Go code of the test.
func (t Table) Text() ([]byte, error) { return execute(codecsTest, t) }

func execute(text string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := template.Must(template.New("").Parse(text)).Execute(&b, data); err != nil {
		return nil, err
	}
	return format.Source(b.Bytes())
}

func quoted(text string) string { return strconv.Quote(text) }
