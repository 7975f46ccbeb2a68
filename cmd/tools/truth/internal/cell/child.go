//go:build unix

package cell

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/server"
)

// ServeVerb is the first argument of the command as a server. The second one is a job in JSON.
const ServeVerb = "serve"

// Child does the work of a child of this command, and reports whether args are such a
// child's.
func Child(ctx context.Context, args []string, in io.Reader, out io.Writer) (is bool, err error) {
	if len(args) != 2 {
		return false, nil
	}
	switch args[0] {
	case ServeVerb:
		return true, serve(args[1], in, out)
	case own.Verb:
		return true, call(ctx, args[1], out)
	}
	return false, nil
}

func serve(text string, in io.Reader, out io.Writer) error {
	var job server.Job
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return fmt.Errorf("%s: %w", ServeVerb, err)
	}
	return server.Serve(job, in, out)
}

func call(ctx context.Context, text string, out io.Writer) error {
	var job own.Job
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return fmt.Errorf("%s: %w", own.Verb, err)
	}
	return job.Call(ctx, out)
}
