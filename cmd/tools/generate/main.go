// Generate makes the committed code of testdata's .proto, .thrift, .fbs and
// .capnp files anew, in the repository whose root is its argument, and the copies of
// code that several modules need. With the word copies it makes these alone, in no time:
//
//	generate ROOT [copies]
//
// The tools are those that module cmd/tools pins. The compilers of Thrift,
// FlatBuffers and Cap'n Proto are not Go programs: without them, and without the
// version of Thrift's that made the committed code, it is left as it is.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if n := len(os.Args); n != 2 && (n != 3 || os.Args[2] != "copies") {
		log.Fatal("usage: generate ROOT [copies]")
	}
	os.Setenv("GOWORK", "off") // the tools are those that cmd/tools pins, and no others
	root, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = repository{root}.copies()
	}
	if err == nil && len(os.Args) == 2 {
		err = repository{root}.generate()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// repository is the one whose code is made.
type repository struct{ root string }

// generate makes all code but copies, in the order in which the one needs the other.
func (r repository) generate() error {
	for _, step := range []func() error{r.benches, r.build, r.plugins, r.kitex, r.native, r.mus, r.thrift, r.flatbuffers, r.capnp, r.format} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// build builds the tools of this module, which run in other modules' directories.
func (r repository) build() error {
	tools := []string{
		"google.golang.org/protobuf/cmd/protoc-gen-go",
		"google.golang.org/grpc/cmd/protoc-gen-go-grpc",
		"github.com/planetscale/vtprotobuf/cmd/protoc-gen-go-vtproto",
		"github.com/cloudwego/kitex/tool/cmd/kitex",
		"github.com/tinylib/msgp",
		"github.com/mailru/easyjson/easyjson",
		"capnproto.org/go/capnp/v3/capnpc-go",
		"mvdan.cc/gofumpt",
	}
	return r.run("cmd/tools", "go", append([]string{"build", "-o", "../../bin/"}, tools...)...)
}

// format formats what generators leave otherwise. In a directory gofumpt leaves
// out generated files.
func (r repository) format() error {
	return r.tool(".", "gofumpt", "-w", "codecs/adapters", "codecs/rpc/thrift/bench/bench.go")
}

// tool runs one that build built.
func (r repository) tool(dir, name string, args ...string) error {
	return r.run(dir, filepath.Join(r.root, "bin", name), args...)
}

// run runs a program in a directory of the repository.
func (r repository) run(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Join(r.root, dir)
	cmd.Stderr = os.Stderr
	if out, err := cmd.Output(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// path returns the path of a file of the repository.
func (r repository) path(name string) string { return filepath.Join(r.root, filepath.FromSlash(name)) }
