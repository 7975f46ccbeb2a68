package plan

import (
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/value"
)

// Cores are how many whole cores a server has: a value of cores=. The zero Cores are those of
// its side.
type Cores struct {
	Number int
	Shared bool // the client runs on some of them as well
}

// behind is what a value of cores= has behind its number if the client shares the cores.
const behind = "-shared"

// String is the value of cores=; "" for zero.
func (c Cores) String() string {
	switch {
	case c.Number == 0:
		return ""
	case c.Shared:
		return strconv.Itoa(c.Number) + behind
	}
	return strconv.Itoa(c.Number)
}

// readCores reads a value as String has it. Client processes are told so who shares, since they
// make the same plan.
func readCores(text string) (Cores, error) {
	number, shared := strings.CutSuffix(text, behind)
	n, err := value.Positive(number)
	return Cores{n, shared}, err
}
