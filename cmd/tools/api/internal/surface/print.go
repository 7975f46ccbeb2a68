package surface

import (
	"fmt"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// repository begins the paths of the packages of this project.
const repository = "github.com/rpcbench/rpcbench/"

// Lines are the declarations of a module's public packages, sorted, each in a line. Names of
// parameters are left out, since they may change.
func (m Module) Lines() []string {
	lines := []string{"go " + m.Go}
	for _, p := range m.Public {
		lines = append(lines, Package(p)...)
	}
	slices.Sort(lines)
	return lines
}

// Package has the lines of one package.
func Package(p *types.Package) (lines []string) {
	w := &writer{pkg: p}
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			w.object(o)
		}
	}
	return w.lines
}

// Fields has the lines of the structs and constants of one package, which need not be public: what
// files have that are written of its types.
func Fields(root, module, pattern string) (lines []string, err error) {
	list, err := list(filepath.Join(root, module), packages.NeedName|packages.NeedTypes, pattern)
	for _, p := range list {
		for _, l := range Package(p.Types) {
			if strings.Contains(l, " struct, ") || strings.Contains(l, ", const ") {
				lines = append(lines, l)
			}
		}
	}
	return lines, err
}

// writer writes the lines of a package.
type writer struct {
	pkg   *types.Package
	lines []string
}

func (w *writer) printf(format string, args ...any) {
	w.lines = append(w.lines, "pkg "+strings.TrimPrefix(w.pkg.Path(), repository)+", "+fmt.Sprintf(format, args...))
}

func (w *writer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		w.printf("const %s %s = %s", o.Name(), w.text(o.Type()), value(o.Val()))
	case *types.Var:
		w.printf("var %s %s", o.Name(), w.text(o.Type()))
	case *types.Func:
		s := o.Signature()
		w.printf("func %s%s%s", o.Name(), w.parameters(s.TypeParams()), w.signature(s))
	case *types.TypeName:
		w.declared(o)
	}
}

// value is a constant, a number as people write it.
func value(v constant.Value) string {
	if v.Kind() == constant.Float {
		return v.String()
	}
	return v.ExactString()
}

// declared writes a type with its fields and methods.
func (w *writer) declared(o *types.TypeName) {
	if o.IsAlias() {
		w.printf("type %s = %s", o.Name(), w.text(types.Unalias(o.Type())))
		return
	}
	named := o.Type().(*types.Named)
	name := "type " + o.Name() + w.parameters(named.TypeParams())
	switch u := named.Underlying().(type) {
	case *types.Struct:
		w.printf("%s struct", name)
		w.fields("type "+o.Name()+" struct", u)
	case *types.Interface:
		w.printf("%s interface", name)
		w.members("type "+o.Name()+" interface", u)
	default:
		w.printf("%s %s", name, w.text(u))
	}
	w.methods(named)
}

// fields writes those that can be named, also of structs that are embedded and cannot.
func (w *writer) fields(of string, s *types.Struct) {
	for i := range s.NumFields() {
		f := s.Field(i)
		hidden, _ := f.Type().Underlying().(*types.Struct)
		switch {
		case f.Exported() && f.Embedded():
			w.printf("%s, embedded %s%s", of, w.text(f.Type()), tag(s.Tag(i)))
		case f.Exported():
			w.printf("%s, %s %s%s", of, f.Name(), w.text(f.Type()), tag(s.Tag(i)))
		case f.Embedded() && hidden != nil:
			w.fields(of, hidden)
		}
	}
}

// tag writes the tag of a field, which says how it is written in a file.
func tag(text string) string {
	if text == "" {
		return ""
	}
	return " `" + text + "`"
}

// members writes what a type has to have for an interface.
func (w *writer) members(of string, t *types.Interface) {
	for i := range t.NumMethods() {
		if m := t.Method(i); m.Exported() {
			w.printf("%s, %s%s", of, m.Name(), w.signature(m.Signature()))
		} else {
			w.printf("%s, methods that only its package has", of)
		}
	}
	for i := range t.NumEmbeddeds() {
		if u, ok := t.EmbeddedType(i).(*types.Union); ok {
			w.printf("%s, %s", of, w.text(u))
		}
	}
}

// methods writes those of a type, also of what it embeds and nobody can name.
func (w *writer) methods(t *types.Named) {
	if types.IsInterface(t) {
		return
	}
	set, values := types.NewMethodSet(types.NewPointer(t)), types.NewMethodSet(t)
	for s := range set.Methods() {
		m := s.Obj().(*types.Func)
		if !m.Exported() || byName(t, s.Index()) {
			continue
		}
		receiver := t.Obj().Name()
		if values.Lookup(m.Pkg(), m.Name()) == nil {
			receiver = "*" + receiver
		}
		w.printf("method (%s%s) %s%s", receiver, names(t.TypeParams()), m.Name(), w.signature(m.Signature()))
	}
}

// byName reports whether a method belongs to a field that is embedded and has a line.
func byName(t *types.Named, index []int) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && len(index) > 1 && s.Field(index[0]).Exported()
}
