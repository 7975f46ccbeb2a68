// Selftest prints what the load generator can do on this host.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rpcbench/rpcbench/loadgen"
)

func main() {
	ceiling, err := loadgen.SelfTest(context.Background(), loadgen.WaitAwake)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(ceiling)
}
