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
func Read(usage string) { read(usage, os.Args[1:]) }

// ReadMixed is Read for a command whose flags may stand behind its other
// arguments, which it returns.
func ReadMixed(usage string) (others []string) {
	read(usage, os.Args[1:])
	for flag.NArg() > 0 {
		others = append(others, flag.Arg(0))
		read(usage, flag.Args()[1:])
	}
	return others
}

func read(usage string, args []string) {
	err := commandline.Parse(flag.CommandLine, args, nil)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, err := fmt.Printf("Usage: %s\n\n%s", usage, commandline.Help(flag.CommandLine))
		if err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case err != nil:
		name, _, _ := strings.Cut(usage, " ")
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(2)
	}
}
