package workload_test

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
)

// sums is a workload with a flag, for suite.Config.
var sums = workload.Workload{
	Name: "sums", About: "adds numbers", Flag: "sums", Default: "1000", Usage: "how many `numbers` the workload sums adds",
	Start: func(option string) (workload.Work, error) {
		n, err := strconv.Atoi(option)
		if err != nil || n < 1 {
			return workload.Work{}, errors.New("must be a number from 1")
		}
		do := func() error {
			sum := 0
			for i := range n {
				sum += i
			}
			if sum != n*(n-1)/2 {
				return errors.New("a wrong sum")
			}
			return nil
		}
		return workload.Work{Do: do, Setup: option + " numbers"}, nil
	},
}

func ExampleWorkload() {
	work, err := sums.Start(sums.Default)
	if err != nil {
		panic(err)
	}
	fmt.Println(work.Setup, work.Do())
	// Output: 1000 numbers <nil>
}
