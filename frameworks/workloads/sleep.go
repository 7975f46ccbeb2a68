package workloads

import (
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// sleep waits, as a handler that calls a backend does.
func sleep() framework.Workload {
	return framework.Workload{
		Name: "sleep", About: "waits",
		Flag: "sleep", Default: "1ms", Usage: "how long workload=sleep waits",
		Start: func(option string) (framework.Work, error) {
			d, err := time.ParseDuration(option)
			if err != nil || d <= 0 {
				return framework.Work{}, fmt.Errorf("-sleep=%s: must be a duration more than 0, as in 1ms", option)
			}
			do := func() error {
				time.Sleep(d)
				return nil
			}
			return framework.Work{Do: do, Setup: d.String()}, nil
		},
	}
}
