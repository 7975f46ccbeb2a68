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
	if err := r.copy(types, msgp+"/types.go", func(text string) string { return native(text) + "\n//msgp:tag json\n" }); err != nil {
		return err
	}
	if err := r.copy(types, easyjson+"/types.go", native); err != nil {
		return err
	}
	if err := r.tool(msgp, "msgp", "-file", "types.go", "-o", "methods.go", "-io=false", "-tests=false"); err != nil {
		return err
	}
	if err := os.RemoveAll(r.path(easyjson + "/methods.go")); err != nil { // it compiles the package
		return err
	}
	return r.tool(easyjson, "easyjson", "-all", "-no_std_marshalers", "-output_filename", "methods.go", "types.go")
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
