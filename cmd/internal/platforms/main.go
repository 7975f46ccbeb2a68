// Platforms vets the modules that others import for each system in the table of
// CONTRIBUTING.md. Vet compiles the tests as well.
//
//	go run -C cmd ./internal/platforms
//
// The exit code is 1 if one does not compile.
package main

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/released"
)

// root is the repository's, for a command that runs in cmd.
const root = ".."

func main() {
	log.SetFlags(0)
	log.SetPrefix("platforms: ")
	systems, err := listed(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		log.Fatal(err)
	}
	failed := false
	for _, s := range systems {
		for _, module := range released.Modules() {
			fmt.Printf("%s/%s: %s\n", s.os, s.arch, module)
			if out, err := s.vet(filepath.Join(root, module)); err != nil {
				failed = true
				fmt.Printf("%s%v\n", out, err)
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

// system is one for which Go compiles.
type system struct{ os, arch string }

var row = regexp.MustCompile("(?m)^\\| `([a-z0-9]+)/([a-z0-9]+)` \\|")

// listed are the systems of a document's table.
func listed(file string) (systems []system, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for _, r := range row.FindAllStringSubmatch(string(text), -1) {
		systems = append(systems, system{r[1], r[2]})
	}
	if len(systems) == 0 {
		return nil, fmt.Errorf("%s has no table of systems", file)
	}
	return systems, nil
}

// vet returns what go vet says of a module. Without -trimpath it would begin anew in each
// clone, which takes minutes.
func (s system) vet(dir string) ([]byte, error) {
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir, cmd.Env = dir, append(environ.Tools(os.Environ()), "GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath", "CGO_ENABLED=0", "GOOS="+s.os, "GOARCH="+s.arch)
	return cmd.CombinedOutput()
}
