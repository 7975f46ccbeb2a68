package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchdiff/verdict"
	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// agree runs the binaries of head and of base once, and returns arguments with which all
// use the same CPUs, as head's first chooses them: each commit may choose others. Settings
// that differ all the same are an error, before anything is measured. What a run lacks, or
// fails with, is left for the measurement to say. Where counts are compared it runs those
// of the first package alone, since they are measured a few times only.
func (o options) agree(ctx context.Context, p pair) (args []string, err error) {
	bases, heads := p.base, p.head
	if o.countTurns > 0 {
		bases, heads = bases[:1], heads[:1]
	}
	head := [][]byte{runOnce(ctx, heads[0], p.args, o.args)}
	args = o.args
	if cpus := pinned(head[0]); cpus != "" && !slices.ContainsFunc(args, givesPin) {
		fmt.Fprintf(os.Stderr, "both sides run on the CPUs of head: -pin=%s\n", cpus)
		args = slices.Concat([]string{"-pin=" + cpus}, args)
	}
	var base [][]byte
	for _, binary := range bases {
		base = append(base, runOnce(ctx, binary, p.args, args))
	}
	for _, binary := range heads[1:] {
		head = append(head, runOnce(ctx, binary, p.args, args))
	}
	return args, verdict.Rule{Mixed: o.mixed}.Agree(base, head)
}

// once is what a binary prints when it runs each case once.
func runOnce(ctx context.Context, binary string, args ...[]string) []byte {
	args = append([][]string{workshop.BenchmarksOnly()}, append(args, []string{"-test.benchtime=1x"})...)
	out, _ := workshop.Run(ctx, binary, slices.Concat(args...)...)
	return []byte(out + "\n")
}

var pinLine = regexp.MustCompile(`(?m)^pin: ([0-9,-]+/[0-9,-]+)$`)

// pinned are the CPUs of server and client, as -pin takes them; "" if the output has
// none.
func pinned(out []byte) string {
	if found := pinLine.FindSubmatch(out); found != nil {
		return string(found[1])
	}
	return ""
}

// givesPin reports whether an argument is -pin.
func givesPin(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return strings.HasPrefix(arg, "-") && name == "pin"
}
