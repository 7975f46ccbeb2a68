// Package footprint measures, for those who choose a framework, what it costs a program to
// contain one and serve by it: the size of the binary, its modules, the time until it listens and
// until its first reply, and the memory and goroutines of a server at rest.
//
// A program that does so has this main, and links the adapter and nothing else of the
// suite. It is built stripped, so that its size is that of what people ship:
//
//	package main
//
//	import (
//		"github.com/rpcbench/rpcbench/frameworks/grpc"
//		"github.com/rpcbench/rpcbench/frameworks/suite/footprint"
//	)
//
//	func main() { footprint.Main(grpc.Variants()) }
//
//	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o grpc.footprint main.go
//
// What it prints is a line for each recommended variant:
//
//	BenchmarkFootprint/framework=/transport=/codec=
//
// Each run is one start of each variant. benchrounds runs several programs by turns.
package footprint

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/environ"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/part"
)

// Main is the whole of a main. It does not return.
func Main(variants []framework.Variant) {
	if playing := part.Playing(); playing != "" {
		os.Exit(play(playing, variants))
	}
	os.Exit(run(os.Args[1:], variants, os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	cases bool
	waits
}

func read(args []string) (o options, err error) {
	fs := flag.NewFlagSet("footprint", flag.ContinueOnError)
	fs.BoolVar(&o.cases, "cases", false, "list what would be measured")
	fs.DurationVar(&o.rest, "rest", time.Second, "how long a server rests before its memory and goroutines are read")
	fs.DurationVar(&o.limit, "limit", 30*time.Second, "how long each step of a start may take")
	err = commandline.Parse(fs, args, nil)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(os.Stdout)
		fs.PrintDefaults()
	case err == nil && fs.NArg() > 0:
		err = fmt.Errorf("%q is no flag", fs.Arg(0))
	case err == nil && (o.rest < 0 || o.limit <= 0):
		err = errors.New("-rest and -limit: a time must not be negative, and a limit not 0")
	}
	return o, err
}

// run measures and returns the exit code: 1 if a variant could not be measured, 2 if
// there is nothing to measure or the flags are wrong.
func run(args []string, variants []framework.Variant, stdout, stderr io.Writer) (exitCode int) {
	o, err := read(args)
	chosen := recommended(variants)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err == nil && len(chosen) == 0:
		if o.cases {
			fmt.Fprintln(stderr, "# 0 cases") // benchrounds reads it
		}
		err = errors.New("no variant has a server in Go")
	}
	if err != nil {
		fmt.Fprintf(stderr, "footprint: %v\n", foreign.Error(err))
		return 2
	}
	if o.cases {
		list(chosen, o, stdout, stderr)
		return 0
	}
	return printAll(chosen, o.waits, stdout, stderr)
}

// recommended returns the variants that stand for their framework, or the first one if none
// is recommended.
func recommended(variants []framework.Variant) []framework.Variant {
	own := slices.DeleteFunc(slices.Clone(variants), func(v framework.Variant) bool { return v.StandIn })
	marked := slices.DeleteFunc(slices.Clone(own), func(v framework.Variant) bool { return !v.Recommended })
	if len(marked) > 0 {
		return marked
	}
	return own[:min(len(own), 1)]
}

// list tells benchrounds the cases and about how long they take.
func list(chosen []framework.Variant, o options, stdout, stderr io.Writer) {
	for _, v := range chosen {
		fmt.Fprintln(stdout, name(v))
	}
	const starting = 200 * time.Millisecond
	fmt.Fprintf(stderr, "# %d cases, about %v\n", len(chosen), time.Duration(len(chosen))*(o.rest+starting))
}

func name(v framework.Variant) string { return "BenchmarkFootprint/" + v.ID() }

// printAll measures each variant and prints its line, also after another one has failed.
func printAll(chosen []framework.Variant, w waits, stdout, stderr io.Writer) (exitCode int) {
	head, err := header(chosen)
	if err != nil {
		fmt.Fprintf(stderr, "footprint: %v\n", foreign.Error(err))
		return 2
	}
	fmt.Fprint(stdout, head)
	if without := environ.Note(environ.Alone(os.Environ())); without != "" {
		fmt.Fprintln(stdout, "# "+foreign.Line(without))
	}
	for _, v := range chosen {
		f, err := w.measure(v)
		if err != nil {
			fmt.Fprintf(stderr, "footprint: %s: %v\n", v.ID(), foreign.Error(err))
			exitCode = 1
			continue
		}
		fmt.Fprintf(stdout, "%s\t1\t%s\n", name(v), strings.Join(f.metrics(), "\t"))
	}
	fmt.Fprintln(stdout, []string{"PASS", "FAIL"}[exitCode]) // as package testing does: readers of lines tell by it that a process has ended
	return exitCode
}
