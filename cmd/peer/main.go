// Peer tests and measures a server in another language, for its author: it builds the server,
// starts it on the loopback interface, runs the conformance test and the benchmarks Echo
// and Message of a benchmark binary against it, and stops it.
//
//	peer [-o FILE] NAME DIRECTORY BINARY VARIANT [FLAG...]
//	peer [-o FILE] -table=FILE [-- FLAG...]
//
// NAME is the last key of the result lines, peer=NAME. The lines are printed, and
// appended to FILE. DIRECTORY has the server: a pom.xml with which Maven makes
// target/peer.jar, or a package.json and server.js, or a requirements.txt and server.py,
// whose packages npm or pip puts into target, or a Cargo.toml or CMakeLists.txt, by which
// target/peer is made. The server is started with a port as its last argument. It must listen there, print "ready PORT", and end when its standard
// input is closed. BINARY is a test binary of package suite with the flags -server and
// -peer. VARIANT names the variant whose client makes the calls, by its first keys.
// FLAGs are passed on to the binary.
//
// Each line of a table is the arguments of a peer. All servers are built first.
//
// Without the tools of a language, or if its packages cannot be had, peer says so and
// leaves the server out, as it does with one that takes minutes to build unless the variable
// TONIC or BRPC of the environment asks for it. The exit code is 1 if anything failed or could not be written,
// and 2 if the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"

	"github.com/rpcbench/rpcbench/cmd/internal/arguments"
	"github.com/rpcbench/rpcbench/cmd/internal/builds"
	"github.com/rpcbench/rpcbench/cmd/internal/ends"
	"github.com/rpcbench/rpcbench/cmd/internal/environ"
	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/target"
)

func main() {
	out := flag.String("o", "", "`file` to append the lines to")
	table := flag.String("table", "", "`file` with the arguments of a peer in each line")
	arguments.Read(usage)
	list, err := peers(*table, flag.Args())
	if err == nil {
		err = checkAsked(list)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peer: %v\n", foreign.Error(err))
		os.Exit(2)
	}
	if err := target.Check(*out); err != nil && *out != "" {
		fmt.Fprintf(os.Stderr, "peer: -o: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := ends.Context()
	defer stop()
	if err := runAll(ctx, list, *out); err != nil {
		fmt.Fprintf(os.Stderr, "peer: %v\n", err)
		os.Exit(1)
	}
}

// peers returns the peers of a table, or the one of the command line.
func peers(table string, args []string) ([]peer, error) {
	switch {
	case table != "":
		return readTable(table, args)
	case len(args) < 4:
		return nil, fmt.Errorf("NAME DIRECTORY BINARY VARIANT are needed, and %q was given; -h says what they are", args)
	}
	return []peer{newPeer(args)}, nil
}

const usage = `peer [-o FILE] NAME DIRECTORY BINARY VARIANT [FLAG...]
       peer [-o FILE] -table=FILE [-- FLAG...]

Tests and measures a variant of a test binary, with more of its flags, against the
server in the directory: a Maven project, a package.json with a server.js, a
requirements.txt with a server.py, a Cargo.toml, or a CMakeLists.txt. The last two
take minutes to build, and are left out unless the environment has TONIC=1 and
BRPC=path, the sources of apache/brpc. NAME is the key peer= of the lines.`

// peer holds the arguments of the command line, or of a line of a table.
type peer struct {
	name, directory, binary, variant string
	flags                            []string
	known                            builds.Known
}

// run tests and measures a variant against its server, which has been built.
func (p peer) run(ctx context.Context, l language, out string) error {
	s, err := l.start(ctx, p.directory)
	if err != nil {
		return err
	}
	at := "-server=" + p.variant + "@" + s.addr
	if _, err = fmt.Printf("# conformance: peer=%s\n", p.name); err == nil {
		err = p.execute(ctx, os.Stderr, "-test.run=^TestConformance$", at)
	}
	if err == nil {
		err = p.measure(ctx, out, at)
	}
	return errors.Join(err, s.stop())
}

// measure runs the benchmarks. It prints their lines, and appends them to the file of
// that name unless the name is empty.
func (p peer) measure(ctx context.Context, name, at string) (err error) {
	var lines io.Writer = os.Stdout
	if name != "" {
		f, failed := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		lines = io.MultiWriter(os.Stdout, f)
	}
	if _, err = io.WriteString(lines, environ.Note(os.Environ())); err != nil {
		return err
	}
	return p.execute(ctx, lines, "-test.run=^$", "-test.bench=^Benchmark(Echo|Message)$", "-peer="+p.name, at)
}

func (p peer) execute(ctx context.Context, out io.Writer, args ...string) error {
	cmd := exec.CommandContext(ctx, p.binary, append(args, p.flags...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environ.Measured(cmd.Environ()), out, os.Stderr
	ends.WithParent(cmd, syscall.SIGKILL)
	if err := p.known.Check(cmd.Path, "the benchmarks would be of"); err != nil {
		return err
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", cmd, err)
	}
	return nil
}
