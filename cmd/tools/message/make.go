package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
	return w.test(m.Dir, "")
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
		err = errors.Join(err, w.framework(filepath.Join(m.Dir, b.Framework), b))
	}
	if err != nil {
		return err
	}
	return w.link(m.Dir)
}

// framework writes the package that measures one framework.
func (w workshop) framework(dir string, b module.Binary) error {
	text, err := b.Text()
	if err != nil {
		return err
	}
	files := map[string][]byte{"bench_test.go": text, "requests.bin": w.requests.Delimited()}
	if w.replies != nil {
		files["replies.bin"] = w.replies.Delimited()
	}
	return w.write(dir, files)
}

// link builds the binaries of the frameworks at once, and one after another if that fails: what
// does not compile is in the error, and the others are there.
func (w workshop) link(dir string) (err error) {
	w.step("building %s", strings.Join(w.frameworks, ", "))
	if w.test(dir, w.frameworks...) == nil {
		return nil
	}
	for _, framework := range w.frameworks {
		if failed := w.test(dir, framework); failed != nil { // an older binary would be measured
			err = errors.Join(err, failed, os.RemoveAll(filepath.Join(w.dir, framework+".test")))
		}
	}
	return err
}

// test builds the tests of packages of a module, each as a binary that has the package's name.
func (w workshop) test(dir string, packages ...string) error {
	args := []string{"test", "-vet=off", "-c", "-o", w.dir + string(filepath.Separator)}
	for _, name := range packages {
		args = append(args, "./"+name)
	}
	return generator.Go(dir, args...)
}

// write writes files of a directory.
func (w workshop) write(dir string, files map[string][]byte) (err error) {
	for name, text := range files {
		err = errors.Join(err, module.Put(filepath.Join(dir, name), text))
	}
	return err
}
