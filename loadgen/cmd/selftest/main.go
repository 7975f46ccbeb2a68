// Selftest prints what the load generator can do on this host.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rpcbench/rpcbench/loadgen/selftest"
)

func main() {
	ceiling, err := selftest.Run(context.Background())
	if err == nil {
		_, err = fmt.Print(ceiling)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
