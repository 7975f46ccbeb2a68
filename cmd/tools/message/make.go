package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/generator"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
)

// own begins the paths of the modules.
const own = "rpcbench.message/"

// tools is the directory of the generators, which are removed when they have made all.
const tools = "tools"

// workshop is the directory in which modules are made.
type workshop struct {
	*input
	dir  string
	said io.Writer
}

// make makes the modules and builds their binaries. It returns their directory. What fails
// is in the error, and its binary is not there; the others are.
func (in *input) make(said io.Writer) (string, error) {
	key, err := in.key()
	if err != nil || in.printDir {
		return filepath.Join(in.base, key), err
	}
	d, err := cache.Open(in.base, key, func() { fmt.Fprintln(said, "another run uses the directory: waiting") })
	if err != nil {
		return "", err
	}
	defer d.Close()
	w := workshop{in, d.Path, said}
	if len(in.serializers) > 0 {
		err = w.codecs()
	}
	if len(in.frameworks) > 0 {
		err = errors.Join(err, w.ofFrameworks())
	}
	return d.Path, errors.Join(err, os.RemoveAll(filepath.Join(d.Path, tools)))
}

// step tells what is done.
func (w workshop) step(format string, args ...any) { fmt.Fprintf(w.said, format+"\n", args...) }

// codecs makes the module of serializers and its binary.
func (w workshop) codecs() error {
	m := module.Module{Path: own + "codecs", Dir: filepath.Join(w.dir, "codecs"), Root: w.root, Of: "codecs/adapters"}
	if err := m.Write(); err != nil {
		return err
	}
	g := w.generator("codecs")
	parts := generator.Parts(g, w.parts())
	if err := parts.Make(w.tools(g)); err != nil {
		return err
	}
	for _, part := range parts.Names() {
		if reason := parts.Refused[part]; reason != "" {
			w.step("%s cannot take the schema: %s", part, reason)
		}
	}
	table := module.Table{Name: w.name, Module: m.Path, Types: parts.Types, Codecs: w.serializers, Refused: parts.Refused}
	text, err := table.Text()
	if err != nil {
		return err
	}
	if err := w.write(m.Dir, map[string][]byte{"codecs_test.go": text, "requests.bin": w.requests.Delimited()}); err != nil {
		return err
	}
	w.step("building the serializers")
	return generator.Go(m.Dir, "test", "-vet=off", "-c", "-o", filepath.Join(w.dir, "codecs.test"), ".")
}

// parts are the packages that the selected serializers need.
func (w workshop) parts() (names []string) {
	for _, c := range w.serializers {
		if c.Part != "" {
			names = append(names, c.Part)
		}
	}
	return names
}

func (w workshop) generator(dir string) generator.Generator {
	return generator.Generator{Closure: w.closure, Dir: filepath.Join(w.dir, dir), Module: own + dir, Tools: filepath.Join(w.dir, tools)}
}

// tools builds the generators, which is the first step of making code.
func (w workshop) tools(g generator.Generator) func() error {
	return func() error {
		w.step("generating and compiling code, messages: %d", w.closure.Structs())
		return generator.Build(w.root, g.Tools)
	}
}

// ofFrameworks makes the module of frameworks and a binary for each.
func (w workshop) ofFrameworks() error {
	m := module.Module{Path: own + "frameworks", Dir: filepath.Join(w.dir, "frameworks"), Root: w.root, Of: "."}
	if err := m.Write(); err != nil {
		return err
	}
	g := w.generator("frameworks")
	parts := generator.Parts(g, nil)
	if err := parts.Make(w.tools(g)); err != nil {
		return err
	}
	messages, err := g.Messages(module.Messages)
	if err != nil {
		return err
	}
	b := module.Binary{Module: m.Path, Name: w.name, Type: messages[0].GoIdent.GoName, Field: w.field, ReplyField: w.replyField}
	if w.replies != nil {
		b.Reply = messages[min(1, len(messages)-1)].GoIdent.GoName
	}
	for _, b.Framework = range w.frameworks {
		err = errors.Join(err, w.framework(m.Dir, b))
	}
	return err
}

// framework makes the binary of one framework.
func (w workshop) framework(dir string, b module.Binary) error {
	dir = filepath.Join(dir, b.Framework)
	binary := filepath.Join(w.dir, b.Framework+".test")
	text, err := b.Text()
	if err == nil {
		err = w.write(dir, map[string][]byte{"bench_test.go": text, "requests.bin": w.requests.Delimited()})
	}
	if err == nil && w.replies != nil {
		err = w.write(dir, map[string][]byte{"replies.bin": w.replies.Delimited()})
	}
	if err == nil {
		w.step("building %s", b.Framework)
		err = generator.Go(dir, "test", "-vet=off", "-c", "-o", binary, ".")
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(binary)) // an older one would be measured
	}
	return nil
}

// write writes files of a directory.
func (w workshop) write(dir string, files map[string][]byte) (err error) {
	for name, text := range files {
		err = errors.Join(err, module.Put(filepath.Join(dir, name), text))
	}
	return err
}
