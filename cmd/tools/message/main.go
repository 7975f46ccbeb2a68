// Message makes Go modules that measure a message of one's own, from its .proto and samples of
// it, and builds their binaries. make bench-message runs it and then the binaries:
//
//	message -root=RPCBENCH -proto=order.proto -message=shop.v1.Order -samples='samples/*.json'
//
// It prints the directory that it has made, which has codecs.test and a binary for each
// framework, as grpc.test. One that could not be built is not there, and the exit code is 1; it
// is 2 for bad input, before anything is made. All else goes to the standard error. Paths are
// relative to -dir.
//
// The modules are in the user's cache directory, as in ~/.cache/rpcbench/message on Linux: one
// directory for each schema and message, of which the 8 used last are kept. All of it can be
// removed at any time. Nothing is written elsewhere.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rpcbench/rpcbench/cmd/tools/internal/commandline"
	"github.com/rpcbench/rpcbench/cmd/tools/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/tools/message/internal/cache"
)

// Exit codes.
const (
	failed   = 1
	badInput = 2 // nothing has been built
)

// help is what -h prints before the flags.
const help = `Usage: message FLAGS [COMMAND ARGUMENT...]

message makes Go modules that measure a message of one's own, and prints their directory. If there
is a command, it runs that instead, with each binary as OUT=BINARY in the place of {}.
It is in the user's cache directory, below rpcbench/message, of which the %d used last are kept.
All of them can be removed at any time: nothing is written elsewhere.

%s`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its streams. It returns the exit code.
func run(args []string, out, said io.Writer) int {
	var o options
	fs := o.flags()
	err := commandline.Parse(fs, args, nil)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(out, help, cache.Kept, commandline.Help(fs))
		return 0
	}
	if err == nil {
		err = command(fs.Args()).check()
	}
	var in *input
	if err == nil {
		in, err = o.read(said)
	}
	if err != nil {
		fmt.Fprintln(said, "message:", foreign.Line(err.Error()))
		return badInput
	}
	dir, err := in.make(said)
	if err != nil {
		fmt.Fprintln(said, "message:", err)
	}
	if dir == "" {
		return failed
	}
	return max(exitCode(err), o.end(in, fs.Args(), dir, out, said))
}

// end prints the directory, or runs the command with what could be built.
func (o *options) end(in *input, c command, dir string, out, said io.Writer) int {
	if len(c) == 0 || o.printDir {
		fmt.Fprintln(out, dir)
		return 0
	}
	binaries, err := in.binaries(dir)
	lines := cmp.Or(o.out, in.lines(dir))
	if args := c.with(binaries, lines); err == nil && len(args) > 0 {
		fmt.Fprintf(said, "lines of results are kept in %s\n", lines)
		err = follow(args)
	}
	if err != nil {
		fmt.Fprintln(said, "message:", err)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	if err != nil {
		return failed
	}
	return 0
}
