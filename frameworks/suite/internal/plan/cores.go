package plan

import (
	"fmt"
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

// CoreNumbers are the numbers of cores that are asked for.
func (o *Options) CoreNumbers() (list []int) {
	for _, c := range o.Cores.Values {
		list = append(list, c.Number)
	}
	return list
}

// ShareCores says which servers share their cores with the client. The error says that a user
// has said so.
func (o *Options) ShareCores(shares func(number int) bool) error {
	var list []string
	for _, c := range o.Cores.Values {
		if c.Shared {
			return fmt.Errorf("-cores=%v: give numbers: where cores are too few, cases have %s by themselves", c, behind)
		}
		list = append(list, Cores{c.Number, shares(c.Number)}.String())
	}
	return o.Cores.Set(strings.Join(list, ","))
}

// coresOf are the cores of the cases of a benchmark; none if it is not measured by cores.
func (o *Options) coresOf(b *Benchmark) []Cores {
	switch {
	case len(o.Cores.Values) == 0:
		return []Cores{{}}
	case b.NoCores != "":
		return nil
	}
	return o.Cores.Values
}
