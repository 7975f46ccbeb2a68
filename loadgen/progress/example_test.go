package progress_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/progress"
)

// A run of 20 s is watched on standard error: OnProgress is set when the rest of the Config is.
func ExamplePrint() {
	cfg := loadgen.Config{
		Workers:  8,
		Schedule: loadgen.Constant(500),
		Duration: time.Second / 5, // 20 * time.Second is more like it
	}
	cfg.OnProgress = progress.Print(os.Stderr, cfg)
	res, err := loadgen.Run(context.Background(), cfg, func(context.Context, int) error {
		time.Sleep(time.Millisecond) // the call of a service
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sent, "calls")
	// Output: 100 calls
}
