// Peer tests and measures a client against a server in Java. It builds the server
// with Maven, starts it on the loopback interface, runs the conformance test and the
// benchmarks Echo and Message of a benchmark binary against it, and stops it.
//
//	peer [-o FILE] NAME DIRECTORY BINARY VARIANT [FLAG...]
//
// NAME is the last key of the result lines, peer=NAME. The lines are printed, and
// appended to FILE. DIRECTORY is a Maven project that makes target/peer.jar. The jar
// is started with a port as its argument. It must listen there, print "ready PORT",
// and end when its standard input is closed. BINARY is a test binary of package suite
// with the flags -server and -peer. VARIANT names the variant whose client makes the
// calls, by its first keys. FLAGs are passed on to the binary.
//
// Without java and mvn, peer says so and does nothing. The exit code is 1 if anything
// failed or could not be written, and 2 if the command line is wrong.
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
	"github.com/rpcbench/rpcbench/cmd/internal/target"
)

func main() {
	out := flag.String("o", "", "`file` to append the lines to")
	arguments.Read(usage)
	if flag.NArg() < 4 {
		fmt.Fprintf(os.Stderr, "peer: NAME DIRECTORY BINARY VARIANT are needed, and %q was given; -h says what they are\n", flag.Args())
		os.Exit(2)
	}
	if err := target.Check(*out); err != nil && *out != "" {
		fmt.Fprintf(os.Stderr, "peer: -o: %v\n", err)
		os.Exit(2)
	}
	ctx, stop := ends.Context()
	defer stop()
	p := peer{flag.Arg(0), flag.Arg(1), flag.Arg(2), flag.Arg(3), flag.Args()[4:], builds.Known{}}
	var err error
	if missing := p.missing(); missing != nil {
		_, err = fmt.Printf("# skipped: peer=%s: %v\n", p.name, missing)
	} else {
		err = p.run(ctx, *out)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peer: %s: %v\n", p.name, err)
		os.Exit(1)
	}
}

const usage = `peer [-o FILE] NAME DIRECTORY BINARY VARIANT [FLAG...]

Tests and measures a variant of a test binary, with more of its flags, against the
server that the Maven project in the directory builds. NAME is the key peer= of the
lines.`

// peer holds the arguments of the command line.
type peer struct {
	name, directory, binary, variant string
	flags                            []string
	known                            builds.Known
}

// missing returns an error that names the tool that is not installed.
func (p peer) missing() error {
	for _, tool := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("there is no %s: install a JDK and Maven", tool)
		}
	}
	return nil
}

func (p peer) run(ctx context.Context, out string) error {
	if err := p.build(ctx); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	s, err := start(ctx, "java", "-jar", p.directory+"/target/peer.jar")
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

func (p peer) build(ctx context.Context) error {
	mvn := exec.CommandContext(ctx, "mvn", "-q", "-B", "-DskipTests", "package")
	mvn.Dir, mvn.Stdout, mvn.Stderr = p.directory, os.Stderr, os.Stderr
	mvn.Env = environ.Tools(mvn.Environ())
	ends.WithParent(mvn, syscall.SIGTERM)
	return mvn.Run()
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
