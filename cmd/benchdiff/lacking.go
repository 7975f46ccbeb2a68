package main

import (
	"context"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/workshop"
)

// lacking reports whether no binary has a benchmark of the arguments, as those of a
// commit from before there was one. It asks package testing, which knows the names of
// functions and not their cases. A binary that does not answer may have it.
func lacking(ctx context.Context, binaries, args []string) bool {
	name, _, _ := strings.Cut(selecting(args), "/")
	if name == "" {
		return false
	}
	for _, binary := range binaries {
		list, err := workshop.Run(ctx, binary, "-test.list="+name)
		if err != nil || strings.HasPrefix(list, "Benchmark") || strings.Contains(list, "\nBenchmark") {
			return false
		}
	}
	return true
}

// selecting returns the value of the last -test.bench.
func selecting(args []string) (value string) {
	for _, arg := range args {
		if v, found := strings.CutPrefix(strings.TrimLeft(arg, "-"), "test.bench="); found {
			value = v
		}
	}
	return value
}
