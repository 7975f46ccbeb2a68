// Selftest prints what the load generator can do on this host.
//
// The exit code is 1 if it cannot be measured, and 2 if the command line is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rpcbench/rpcbench/loadgen/internal/commandline"
	"github.com/rpcbench/rpcbench/loadgen/selftest"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) (exitCode int) {
	fs := flag.NewFlagSet("selftest", flag.ContinueOnError)
	err := commandline.Parse(fs, args, nil)
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("it takes no arguments, and %q is given", fs.Args())
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err = fmt.Fprint(stdout, "Usage: selftest\n\nPrints what the load generator can do on this host, in some 5 seconds.\n")
	case err != nil:
		return complain(stderr, 2, err)
	default:
		err = measure(stdout)
	}
	if err != nil {
		return complain(stderr, 1, err)
	}
	return 0
}

func measure(stdout io.Writer) error {
	ceiling, err := selftest.Run(context.Background())
	if err == nil {
		_, err = fmt.Fprint(stdout, ceiling)
	}
	return err
}

func complain(stderr io.Writer, code int, why error) int {
	fmt.Fprintf(stderr, "selftest: %v\n", why)
	return code
}
