package workloads

import (
	"fmt"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/sleeper"
)

// sleep waits, as a handler that calls a backend does.
func sleep() workload.Workload {
	return workload.Workload{
		Name: "sleep", About: "waits", Scales: true,
		Flag: "sleep", Default: "1ms", Usage: "how long workload=sleep waits: a time, or by a distribution, as " +
			"in 150us:90_2ms:9_20ms:1 (times and per cent), exponential:1ms (mean), lognormal:1ms:3 (median and " +
			"spread), pareto:200us:1.5 (least and exponent) or file:times.txt",
		Start: startSleep,
	}
}

func startSleep(option string) (workload.Work, error) {
	t, err := readTurns("sleep", option, times())
	if err != nil {
		return workload.Work{}, err
	}
	s, err := sleeper.New()
	if err != nil {
		return workload.Work{}, fmt.Errorf("workload=sleep: %w", err)
	}
	return workload.Work{
		Do:    func() error { return s.Sleep(time.Duration(t.next())) },
		Close: s.Close,
		Setup: t.Describe(times().Write) + ", by " + sleeper.About,
	}, nil
}

func times() spread.Unit {
	return spread.Unit{
		Read: func(text string) (int64, error) {
			d, err := time.ParseDuration(text)
			if err != nil {
				err = fmt.Errorf("%q must be a duration, as in 1ms", text)
			}
			return int64(d), err
		},
		Write: func(value int64) string { return time.Duration(value).String() },
		Most:  int64(time.Hour),
	}
}
