package workloads

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/spread"
	"github.com/rpcbench/rpcbench/frameworks/workloads/internal/message"
)

// cpu computes rounds of SHA-256 over 1 KiB, which contains the sum of the previous
// round. A round takes about 0.7 µs on a CPU with instructions for SHA-256, so the
// default takes some 7 µs. A distribution is one of rounds, too: rounds are the same work in
// each process, while times would need a measurement of the CPU at each start.
func cpu() workload.Workload {
	return workload.Workload{
		Name: "cpu", About: "computes SHA-256 sums of 1 KiB", Scales: true,
		Flag: "cpu-rounds", Default: "10", Usage: "how many sums workload=cpu computes: a number, or by a " +
			"distribution, as in 10:90_100:9_1000:1 (numbers and per cent) or any kind of -sleep's",
		Start: startCPU,
	}
}

func startCPU(option string) (workload.Work, error) {
	t, err := readTurns("cpu-rounds", option, rounds())
	if err != nil {
		return workload.Work{}, err
	}
	want := sums(t.Spread)
	do := func() error {
		if n := t.next(); hash(n) != want[n] {
			return message.ErrWrong
		}
		return nil
	}
	return workload.Work{Do: do, Setup: t.Describe(rounds().Write)}, nil
}

func rounds() spread.Unit {
	return spread.Unit{
		Read: func(text string) (int64, error) {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				err = fmt.Errorf("%q must be a whole number", text)
			}
			return n, err
		},
		Write: func(value int64) string { return fmt.Sprintf("%d rounds", value) },
		Most:  100_000_000,
	}
}

// sums has what hash returns for the values of s, in the time of the largest.
func sums(s spread.Spread) map[int64]sum {
	byRounds := map[int64]sum{}
	for n := range uint64(s.Len()) {
		byRounds[s.At(n)] = sum{}
	}
	var c chain
	for n := range s.Largest() + 1 {
		if _, wanted := byRounds[n]; wanted {
			byRounds[n] = c.sum
		}
		c.round()
	}
	return byRounds
}

func hash(rounds int64) sum {
	var c chain
	for range rounds {
		c.round()
	}
	return c.sum
}

type sum = [sha256.Size]byte

// chain computes sums of which each depends on the one before.
type chain struct {
	block [1 << 10]byte
	sum   sum
}

func (c *chain) round() {
	c.sum = sha256.Sum256(c.block[:])
	copy(c.block[:], c.sum[:])
}
