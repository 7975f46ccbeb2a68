package generator

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
)

// Go runs go in a directory. The error has what it said, or the module that it could not
// have.
func Go(dir string, args ...string) error {
	var said bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = append(os.Environ(), "GOWORK=off")
	err := cmd.Run()
	if err == nil {
		return nil
	}
	text := ""
	for line := range bytes.Lines(said.Bytes()) {
		text += "\n\t" + foreign.Line(string(bytes.TrimRight(line, "\n")))
	}
	return ended(fmt.Errorf("go %s in %s: %w%s", args[0], dir, err, text), said.String(), dir)
}
