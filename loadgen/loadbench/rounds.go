package loadbench

import (
	"flag"
	"os"
	"strconv"
)

// EnvRounds is the environment variable of how many processes measure the same, one
// after another, for their lines to be taken together. benchrounds sets it.
const EnvRounds = "RPCBENCH_ROUNDS"

// Rounds returns how many lines of each benchmark are taken together: -count in each
// of the processes of EnvRounds. What is not given, or is no number above 0, is 1.
func Rounds() int {
	count := ""
	if f := flag.Lookup("test.count"); f != nil {
		count = f.Value.String()
	}
	return atLeastOne(os.Getenv(EnvRounds)) * atLeastOne(count)
}

func atLeastOne(text string) int {
	n, _ := strconv.Atoi(text) // 0 if it is no number
	return max(n, 1)
}
