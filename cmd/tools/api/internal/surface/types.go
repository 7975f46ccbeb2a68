package surface

import (
	"go/types"
	"strings"
)

// text is a type. Types of this package stand without it.
func (w *writer) text(t types.Type) string {
	return types.TypeString(nameless(t), func(p *types.Package) string {
		if p == w.pkg {
			return ""
		}
		return strings.TrimPrefix(p.Path(), repository)
	})
}

// signature is a function's, without the word func.
func (w *writer) signature(s *types.Signature) string {
	return strings.TrimPrefix(w.text(types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())), "func")
}

// parameters lists what a generic type or function takes.
func (w *writer) parameters(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name()+" "+w.text(p.Constraint()))
	}
	return bracketed(all)
}

// names are the parameters of a receiver.
func names(list *types.TypeParamList) string {
	var all []string
	for p := range list.TypeParams() {
		all = append(all, p.Obj().Name())
	}
	return bracketed(all)
}

func bracketed(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// nameless is a type without the names of parameters.
func nameless(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, tuple(t.Params()), tuple(t.Results()), t.Variadic())
	case *types.Pointer:
		return types.NewPointer(nameless(t.Elem()))
	case *types.Slice:
		return types.NewSlice(nameless(t.Elem()))
	case *types.Map:
		return types.NewMap(nameless(t.Key()), nameless(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), nameless(t.Elem()))
	}
	return t
}

func tuple(t *types.Tuple) *types.Tuple {
	var list []*types.Var
	for v := range t.Variables() {
		list = append(list, types.NewVar(v.Pos(), v.Pkg(), "", nameless(v.Type())))
	}
	return types.NewTuple(list...)
}
