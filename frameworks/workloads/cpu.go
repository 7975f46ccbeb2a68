package workloads

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// cpu computes rounds of SHA-256 over 1 KiB, which contains the sum of the previous
// round. A round takes about 0.7 µs on a CPU with instructions for SHA-256, so the
// default takes some 7 µs.
func cpu() framework.Workload {
	return framework.Workload{
		Name: "cpu", About: "computes SHA-256 sums of 1 KiB",
		Flag: "cpu-rounds", Default: "10", Usage: "how many sums workload=cpu computes",
		Start: func(option string) (framework.Work, error) {
			rounds, err := strconv.Atoi(option)
			if err != nil || rounds <= 0 {
				return framework.Work{}, fmt.Errorf("-cpu-rounds=%s: must be a whole number more than 0", option)
			}
			want := hash(rounds)
			do := func() error {
				if hash(rounds) != want {
					return message.ErrWrong
				}
				return nil
			}
			return framework.Work{Do: do, Setup: fmt.Sprintf("%d rounds", rounds)}, nil
		},
	}
}

func hash(rounds int) (sum [sha256.Size]byte) {
	var block [1 << 10]byte
	for range rounds {
		sum = sha256.Sum256(block[:])
		copy(block[:], sum[:])
	}
	return sum
}
