// Package generator makes the Go packages of a schema: the structs of serializers and the code
// that is generated for them.
package generator

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/protoc"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/idl"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/module"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/plain"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/schema"
)

// Generator makes packages below the directory of a module.
type Generator struct {
	Closure *schema.Closure
	Dir     string // of the module
	Module  string // its path
	Tools   string // the directory of the generators
}

// program is the package of the generator that makes a part, which module cmd/tools pins; ""
// if none is needed.
func program(part string) string {
	switch part {
	case module.Messages, module.Opaque:
		return "google.golang.org/protobuf/cmd/protoc-gen-go"
	case module.VTProto:
		return "github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto"
	case module.Prutal:
		return "github.com/cloudwego/kitex/tool/cmd/kitex"
	case module.MsgPack:
		return "github.com/tinylib/msgp"
	case module.EasyJSON:
		return "github.com/mailru/easyjson/easyjson"
	}
	return ""
}

// Build builds the generators of parts from the module in root/cmd/tools into a directory.
func Build(root, into string, parts []string) error {
	args := []string{"build", "-o", into + string(filepath.Separator)}
	for _, part := range parts {
		if name := program(part); name != "" {
			args = append(args, name)
		}
	}
	if len(args) == 3 {
		return nil
	}
	return Go(filepath.Join(root, "cmd", "tools"), args...)
}

// Generated makes the package name with the structs of protoc-gen-go, of its open or opaque API.
func (g Generator) Generated(name, api string) error {
	return g.plugin("protoc-gen-go", name, ",default_api_level="+api)
}

// VTProto adds the methods of vtprotobuf to the package name. Pooled messages keep their memory
// in ResetVT.
func (g Generator) VTProto(name string) error {
	return g.plugin("protoc-gen-go-vtproto", name, ",features=marshal+unmarshal+unmarshal_unsafe+size+pool,pool="+g.Module+"/"+name+".*")
}

func (g Generator) plugin(program, name, options string) error {
	request := g.Closure.Package(name, g.Module+"/"+name).Request
	request.Parameter = proto.String("module=" + g.Module + options)
	response, err := protoc.Run(g.tool(program), request)
	if err != nil {
		return ended(err, err.Error(), g.Dir)
	}
	if response.Error != nil {
		return refusal{errors.New(foreign.Line(response.GetError()))}
	}
	return protoc.Write(g.Dir, response)
}

// Messages are the closure's, as package name has them; the measured ones are first.
func (g Generator) Messages(name string) ([]*protogen.Message, error) {
	return g.Closure.Package(name, g.Module+"/"+name).Messages(g.Closure)
}

// Plain makes the package name of plain structs.
func (g Generator) Plain(name, directive string) error {
	messages, err := g.Messages(name)
	if err != nil {
		return err
	}
	text, err := plain.Source(name, directive, messages)
	if err != nil {
		return refusal{err}
	}
	return g.write(name+"/types.go", text)
}

// MsgPack makes the package name of plain structs with the methods of msgp.
func (g Generator) MsgPack(name string) error {
	if err := g.Plain(name, "//msgp:tag json"); err != nil {
		return err
	}
	return run(g.path(name), g.tool("msgp"), "-file", "types.go", "-o", "methods.go", "-io=false", "-tests=false")
}

// EasyJSON makes the package name of plain structs with the methods of easyjson.
func (g Generator) EasyJSON(name string) error {
	if err := g.Plain(name, ""); err != nil {
		return err
	}
	return run(g.path(name), g.tool("easyjson"), "-all", "-no_std_marshalers", "-output_filename", "methods.go", "types.go")
}

// Prutal makes the package name of the structs of kitex's generator.
func (g Generator) Prutal(name string) error {
	messages, err := g.Messages(name)
	if err != nil {
		return err
	}
	text, err := idl.Source(g.Module+"/"+name, messages)
	if err != nil {
		return refusal{err}
	}
	if err := g.write(name+"/own.proto", []byte(text)); err != nil {
		return err
	}
	return run(g.Dir, g.tool("kitex"), "-no-dependency-check", "-gen-path", path.Dir(name+"/own.proto"), name+"/own.proto")
}

func (g Generator) tool(name string) string { return filepath.Join(g.Tools, name) }
func (g Generator) path(name string) string { return filepath.Join(g.Dir, filepath.FromSlash(name)) }

func (g Generator) write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(g.path(name)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(g.path(name), text, 0o644)
}

// run runs a program in a directory. The error has the last line that it said.
func run(dir, program string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	if err := cmd.Run(); err != nil {
		return ended(fmt.Errorf("%s: %w\n%s", filepath.Base(program), err, said.Bytes()), said.String(), dir)
	}
	return nil
}
