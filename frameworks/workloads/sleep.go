package workloads

import (
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite"
)

// sleep waits, as a handler does for a backend of its own.
func sleep() suite.Workload {
	return suite.Workload{
		Name: "sleep", About: "waits",
		Flag: "sleep", Default: "1ms", Usage: "how long workload=sleep waits",
		Start: func(option string) (suite.Work, error) {
			d, err := time.ParseDuration(option)
			if err != nil || d <= 0 {
				return suite.Work{}, fmt.Errorf("-sleep=%s: must be a duration more than 0, as in 1ms", option)
			}
			do := func() error {
				time.Sleep(d)
				return nil
			}
			return suite.Work{Do: do, Setup: d.String()}, nil
		},
	}
}
