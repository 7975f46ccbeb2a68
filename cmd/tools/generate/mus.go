package main

import (
	"os"
	"reflect"

	musgen "github.com/mus-format/musgen-go/mus"
	genops "github.com/mus-format/musgen-go/options/generate"

	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// mus runs the generator of mus-go, which is a library, on the messages' own structs.
func (r repository) mus() error {
	const structs = module + "/codecs/suite/messages"
	g, err := musgen.NewCodeGenerator(
		genops.WithPkgPath(module+"/codecs/adapters/mus"),
		genops.WithPackage("mus"),
		genops.WithImport(structs),
	)
	if err != nil {
		return err
	}
	for _, t := range []reflect.Type{ // each after those in it
		reflect.TypeFor[messages.Label](), reflect.TypeFor[messages.Item](), reflect.TypeFor[messages.Large](),
		reflect.TypeFor[messages.Bench](), reflect.TypeFor[messages.Flat](), reflect.TypeFor[messages.Small](),
		reflect.TypeFor[messages.Next](), reflect.TypeFor[messages.Mapped](),
	} {
		if err := g.AddStruct(t); err != nil {
			return err
		}
	}
	text, err := g.Generate()
	if err != nil {
		return err
	}
	return os.WriteFile(r.path("codecs/adapters/mus/methods.go"), text, 0o644)
}
