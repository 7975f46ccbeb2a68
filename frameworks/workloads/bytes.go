package workloads

import (
	"fmt"
	"strconv"
	"strings"
)

// parseBytes reads the value of a flag that is a number of bytes.
func parseBytes(flag, text string) (int, error) {
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		digits, found := strings.CutSuffix(text, unit)
		shift := 10 * (i + 1)
		if n, err := strconv.Atoi(digits); found && err == nil && n > 0 && n <= mostBytes>>shift {
			return n << shift, nil
		}
	}
	return 0, fmt.Errorf("-%s=%s: must be a whole number of KiB, MiB or GiB, from 1KiB to 1GiB, as in 64MiB", flag, text)
}

const mostBytes = 1 << 30
