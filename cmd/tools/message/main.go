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
// A command is run in the place of the process, with the binaries that could be built, and
// the exit code is the command's; without any binary it is 1. No other run changes the
// directory before the command ends.
//
// The modules are in the user's cache directory, as in ~/.cache/rpcbench/message on Linux: one
// directory for each schema and message. The 8 used last are kept, and fewer if the others have
// over 2 GiB. All of it can be removed at any time. Nothing is written elsewhere.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
It is in the user's cache directory, below rpcbench/message, of which the %d used last are kept,
and fewer if they have over %d GiB. All can be removed at any time: nothing is written elsewhere.

make bench-message has the same in capitals, as REPLY_SAMPLES for -reply-samples; IMPORTS is -I.

%s`

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with its streams. It returns the exit code.
func run(args []string, out, said io.Writer) int {
	var o options
	fs := o.flags()
	err := commandline.Parse(fs, args, nil)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(out, help, cache.Kept, cache.Most>>30, commandline.Help(fs))
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
	return in.follow(fs.Args(), out, said)
}

// follow makes all, and runs the command. It returns the exit code.
func (in *input) follow(c command, out, said io.Writer) int {
	key, err := in.key()
	if err == nil && in.given.printDir {
		fmt.Fprintln(out, filepath.Join(in.base, key))
		return 0
	}
	var d *cache.Directory
	if err == nil {
		d, err = cache.Open(in.base, key, func() { fmt.Fprintln(said, "another run uses the directory: waiting") })
	}
	if err != nil {
		return exitCode(err, said)
	}
	defer d.Close()
	code := exitCode(in.make(d.Path, said), said)
	return max(code, in.end(c, d, out, said))
}

// end prints the directory, or runs the command with what could be built, while no other
// process uses the directory.
func (in *input) end(c command, d *cache.Directory, out, said io.Writer) int {
	if len(c) == 0 {
		fmt.Fprintln(out, d.Path)
		return 0
	}
	lines, err := in.lines(d.Path)
	if err != nil {
		return exitCode(err, said)
	}
	args, err := c.with(in.binaries(d.Path), lines)
	if err != nil {
		return exitCode(err, said)
	}
	fmt.Fprintf(said, "lines of results are kept in %s\n", lines)
	code, err := follow(d, args)
	return max(code, exitCode(err, said))
}

// exitCode tells an error, if there is one.
func exitCode(err error, said io.Writer) int {
	if err != nil {
		fmt.Fprintln(said, "message:", err)
		return failed
	}
	return 0
}
