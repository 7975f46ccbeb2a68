package selftest_test

import (
	"context"
	"fmt"

	"github.com/rpcbench/rpcbench/loadgen/selftest"
)

// What can the generator do on this host? The report has a line for each rate.
func ExampleRun() {
	ceiling, err := selftest.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ceiling)
}
