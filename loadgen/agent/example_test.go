package agent_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/agent"
)

// A program like this runs on each of ten machines, with -rank=0 to 9, -ranks=10, and one
// -run-name and -at for all. Here it is alone. The command loadmerge merges what the ten have
// written into -results.
func ExampleAgent_Run() {
	dir, err := os.MkdirTemp("", "results")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	var a agent.Agent
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	a.Register(flags)
	if err := flags.Parse([]string{"-rank=0", "-ranks=1", "-results", dir}); err != nil { // os.Args[1:]
		fmt.Println(err)
		return
	}
	hello := func(context.Context, int) error { // the call of a service
		time.Sleep(time.Millisecond)
		return nil
	}
	res, err := a.Run(context.Background(), "BenchmarkHello/rate=1000", loadgen.Config{
		Workers:  100, // of all machines together, as is the rate
		Schedule: loadgen.Constant(1000),
		Duration: 50 * time.Millisecond,
	}, loadgen.Call(hello).Run)
	if err != nil {
		fmt.Println(err)
		return
	}
	files, err := os.ReadDir(dir)
	fmt.Println(res.OK, "calls,", len(files), "file", err)
	// Output: 50 calls, 1 file <nil>
}
