package progress

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// longRun is how long a run may take before advice is given on how to shorten it.
const longRun = 2 * time.Minute

// Announce says how many cases there are, and how long they take. benchrounds reads the first
// line.
func Announce(w io.Writer, names []string, takes time.Duration) {
	if len(names) == 0 {
		return
	}
	cases := "cases"
	if len(names) == 1 {
		cases = "case"
	}
	fmt.Fprintf(w, "# %d %s, about %v\n", len(names), cases, rounded(takes))
	if takes > longRun {
		keys := strings.Split(strings.TrimPrefix(names[0], "Benchmark"), "/")
		fmt.Fprintf(w, "# for less: -set=recommended, one -size, one -conc, a narrower -bench such as %s/%s\n", keys[0], keys[1])
	}
}

// rounded rounds a time to what a reader needs.
func rounded(d time.Duration) time.Duration {
	if d > time.Hour {
		return d.Round(time.Minute)
	}
	return d.Round(time.Second)
}
