package main

import (
	"os"
	"path"
	"strings"
)

// kitex runs its generator for the framework and for the serializers. It makes
// clients and servers that nothing here uses as well.
func (r repository) kitex() error {
	const framework, codecs = "frameworks/kitex", "codecs/adapters"
	if err := os.RemoveAll(r.path(framework + "/internal")); err != nil {
		return err
	}
	for _, c := range []struct{ dir, into, file string }{
		{framework, "thrift", "bench.thrift"},
		{framework, "prutal", "bencher.proto"},
		{codecs, "kitex", "codecs.thrift"},
		{codecs, "prutal", "codecs.proto"},
		{codecs, "prutal", "bench.proto"},
	} {
		args := []string{"-no-dependency-check", "-gen-path", "internal/" + c.into}
		if strings.HasSuffix(c.file, ".proto") {
			args = append(args, "-I", "../../testdata")
		}
		if err := r.tool(c.dir, "kitex", append(args, "../../testdata/"+c.file)...); err != nil {
			return err
		}
	}
	for _, into := range []string{"thrift", "prutal"} {
		for _, file := range []string{"client.go", "server.go"} {
			if err := os.Remove(r.path(framework + "/internal/" + into + "/bench/bencher/" + file)); err != nil {
				return err
			}
		}
	}
	return r.copy("testdata/bench.thrift", framework+"/internal/idl/bench.thrift", strings.Clone)
}

// native runs the generators of methods for the messages' own structs, on copies
// of these.
func (r repository) native() error {
	const types = "codecs/suite/messages/types.go"
	const msgp, easyjson = "codecs/adapters/msgp/native", "codecs/adapters/easyjson/native"
	if err := r.msgp(types, msgp, func(text string) string { return native(text) + "\n//msgp:tag json\n" }); err != nil {
		return err
	}
	if err := r.msgp("codecs/rpc/plain/plain.go", "codecs/rpc/msgp", bounded); err != nil {
		return err
	}
	if err := r.copy(types, easyjson+"/types.go", native); err != nil {
		return err
	}
	if err := os.RemoveAll(r.path(easyjson + "/methods.go")); err != nil { // it compiles the package
		return err
	}
	return r.tool(easyjson, "easyjson", "-all", "-no_std_marshalers", "-output_filename", "methods.go", "types.go")
}

// msgp runs msgp on a copy of structs in a directory of their own.
func (r repository) msgp(types, dir string, edit func(string) string) error {
	if err := r.copy(types, dir+"/types.go", edit); err != nil {
		return err
	}
	return r.tool(dir, "msgp", "-file", "types.go", "-o", "methods.go", "-io=false", "-tests=false")
}

// bounded is the text of package plain as package msgp. Without the limit a few bytes of a
// stranger have a decoder allocate a list of 32 GiB.
func bounded(text string) string {
	_, types, _ := strings.Cut(text, "package plain\n")
	types = strings.ReplaceAll(types, "`json:", "`msg:")
	types = strings.Replace(types, `"field5,`, `"field5,limit=1048576,`, 1)
	return `// Code generated from package plain. DO NOT EDIT.

// Package msgp holds the messages of all frameworks with the methods of tinylib/msgp. The list
// of a decoded message has at most 1,048,576 elements.
package msgp
` + types
}

// native is the text of package messages as package native.
func native(text string) string {
	return strings.Replace(text, "package messages", `// Code generated from package messages. DO NOT EDIT.

// Package native holds the messages for code generated beside them.
package native`, 1)
}

// copy copies a file and edits the copy.
func (r repository) copy(from, to string, edit func(string) string) error {
	text, err := os.ReadFile(r.path(from))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.path(path.Dir(to)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(r.path(to), []byte(edit(string(text))), 0o644)
}
