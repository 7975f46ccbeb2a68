//go:build unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/cell"
)

// Exit codes.
const (
	failed   = 1
	badInput = 2 // nothing was measured
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if is, err := cell.Child(ctx, os.Args[1:], os.Stdin, os.Stdout); is {
		if err != nil {
			fmt.Fprintln(os.Stderr, "truth:", foreign.Line(err.Error()))
			os.Exit(failed)
		}
		return
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its streams. It returns the exit code.
func run(ctx context.Context, args []string, out, said io.Writer) int {
	var o options
	fs := o.flags()
	err := commandline.Parse(fs, args, nil)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(out, help, commandline.Help(fs))
		return 0
	}
	if err == nil {
		err = o.check(fs.Args())
	}
	if err != nil {
		fmt.Fprintln(said, "truth:", foreign.Line(err.Error()))
		return badInput
	}
	if err := o.do(ctx, out, said); err != nil {
		fmt.Fprintln(said, "truth:", foreign.Line(err.Error()))
		return failed
	}
	return 0
}
