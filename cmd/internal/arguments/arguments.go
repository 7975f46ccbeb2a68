// Package arguments reads the command line of the commands.
package arguments

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/commandline"
)

// Read reads the flags. If help is asked for it prints usage, whose first line
// begins with the command's name, with the flags, and exits with 0. If a flag is
// wrong it prints one sentence and exits with 2.
func Read(usage string) {
	err := commandline.Parse(flag.CommandLine, os.Args[1:], nil)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Printf("Usage: %s\n\n%s", usage, commandline.Help(flag.CommandLine))
		os.Exit(0)
	case err != nil:
		name, _, _ := strings.Cut(usage, " ")
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
}
