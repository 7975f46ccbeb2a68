package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// make makes the modules in a directory and builds their binaries. What fails is in the error,
// and its binary is not there; the others are.
func (in *input) make(dir string, said io.Writer) (err error) {
	for _, older := range in.wanted(dir) { // they would be measured if a step fails
		err = errors.Join(err, os.RemoveAll(older))
	}
	if err != nil {
		return err
	}
	w := workshop{in, dir, said}
	if len(in.serializers) > 0 {
		err = w.codecs()
	}
	if len(in.frameworks) > 0 {
		err = errors.Join(err, w.ofFrameworks())
	}
	return errors.Join(err, os.RemoveAll(filepath.Join(dir, tools)))
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
	table := module.Table{Name: w.name(), Module: m.Path, Types: parts.Types, Codecs: w.serializers, Refused: parts.Refused}
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
func (w workshop) tools(g generator.Generator) func([]string) error {
	return func(parts []string) error {
		w.step("generating and compiling code, messages: %d", w.closure.Structs())
		return generator.Build(w.root, g.Tools, parts)
	}
}

// ofFrameworks makes the module of frameworks and a binary for each.
func (w workshop) ofFrameworks() error {
	if w.given.frameworks == "" {
		w.step("not measured: %s", elsewhere())
	}
	if len(w.serializers) == 0 { // whose suite tells
		w.warn()
	}
	m := module.Module{Path: own + "frameworks", Dir: filepath.Join(w.dir, "frameworks"), Root: w.root, Of: "."}
	if err := m.Write(); err != nil {
		return err
	}
	g := w.generator("frameworks")
	if err := generator.Parts(g, nil).Make(w.tools(g)); err != nil {
		return err
	}
	b, err := w.binary(g)
	if err != nil {
		return err
	}
	if err := w.tests(m.Dir, b); err != nil {
		return err
	}
	return w.link(m.Dir)
}

// elsewhere lists the frameworks that do not send any message, and why.
func elsewhere() string {
	var list []string
	for name, reason := range module.Elsewhere() {
		list = append(list, name+": "+reason)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// warn tells what is wrong with the samples.
func (w workshop) warn() {
	if warning := w.requests.Warning(); warning != "" {
		w.step("samples: there %s of %s: sizes and branches decide what a call takes, and a branch predictor learns those of few messages; 8 that differ are the least", warning, w.name())
	}
}

// binary describes the tests of frameworks. A reply of another type is the second message of
// the closure.
func (w workshop) binary(g generator.Generator) (b module.Binary, err error) {
	messages, err := g.Messages(module.Messages)
	if err != nil {
		return b, err
	}
	b = module.Binary{Module: g.Module, Name: w.name(), Type: messages[0].GoIdent.GoName, Field: w.field, ReplyField: w.replyField}
	switch {
	case w.replies != nil && w.same():
		b.Reply = b.Type
	case w.replies != nil:
		b.Reply = messages[1].GoIdent.GoName
	}
	return b, nil
}

// tests writes the packages that measure a framework each, and the one of their samples.
func (w workshop) tests(dir string, b module.Binary) error {
	samples := map[string][]byte{"samples.go": module.Samples(), "requests.bin": w.requests.Delimited(), "replies.bin": w.replies.Delimited()}
	if err := w.write(filepath.Join(dir, "samples"), samples); err != nil {
		return err
	}
	for _, b.Framework = range w.frameworks {
		text, err := b.Text()
		if err != nil {
			return err
		}
		if err := module.Put(filepath.Join(dir, b.Framework, "bench_test.go"), text); err != nil {
			return err
		}
	}
	return nil
}

// link builds the binaries of the frameworks at once, and one after another if that fails: what
// does not compile is in the error, and the others are there. What go cannot have is said once.
func (w workshop) link(dir string) error {
	w.step("building %s", strings.Join(w.frameworks, ", "))
	err := w.test(dir, w.frameworks...)
	if _, missing := errors.AsType[generator.MissingError](err); err == nil || missing {
		return err
	}
	err = nil
	for _, framework := range w.frameworks {
		failed := w.test(dir, framework)
		err = errors.Join(err, failed)
		if _, missing := errors.AsType[generator.MissingError](failed); missing {
			break
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
