package bench

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// grid is the table of what is called and how it is driven, with the line of each.
type grid map[[2]string]string

var (
	calledRows    = []string{"echo", "message", "workload", "stream", "mix"}
	driverColumns = []string{"closed", "rate", "capacity", "load", "stall"}
)

// lacks says why there is no line.
var lacks = map[[2]string]string{{"mix", "closed"}: "none: large calls would set the pace of small ones"}

// values matches the value of each key, which differs from line to line.
var values = regexp.MustCompile(`=[^/]*`)

// take enters the lines of a benchmark.
func (g grid) take(b *plan.Benchmark, l plan.Leaf) {
	driver := strings.ToLower(strings.Replace(b.Name, "Mix", "Rate", 1))
	if !slices.Contains(driverColumns, driver) {
		driver = "closed"
	}
	keys := values.ReplaceAllString(l.Common().Keys, "=")
	what := "echo"
	switch {
	case b.Name == "Message" || strings.HasPrefix(keys, "msg="):
		what, keys = "message", strings.Replace(keys, "msg=", "msg=bench", 1)
	case strings.HasPrefix(keys, "workload="):
		what = "workload"
	case strings.HasPrefix(keys, "mix="):
		what = "mix"
	case b.Name == "Stream" || strings.HasPrefix(keys, "streams="):
		what = "stream"
	}
	g[[2]string{what, driver}] = "`" + b.Name + "/" + keys + "`"
}

// markdown is the table. Between a benchmark's name and these keys stand the variant's.
func (g grid) markdown() string {
	var s strings.Builder
	fmt.Fprintf(&s, "| what is called | %s |\n|%s\n", strings.Join(driverColumns, " | "), strings.Repeat("---|", len(driverColumns)+1))
	for _, what := range calledRows {
		fmt.Fprintf(&s, "| %s |", what)
		for _, driver := range driverColumns {
			fmt.Fprintf(&s, " %s |", cmp.Or(g[[2]string{what, driver}], lacks[[2]string{what, driver}]))
		}
		s.WriteString("\n")
	}
	return s.String()
}

// TestTheTableOfCallsAndDrivers: MEASURE.md has the table that the benchmarks make.
func TestTheTableOfCallsAndDrivers(t *testing.T) {
	var list []*plan.Benchmark
	f := rig.NewFlags(rig.Table{Workloads: []workload.Workload{{Name: "nop"}}}, func(s *rig.Settings) []*plan.Benchmark {
		list = All(s)
		return list
	})
	f.Options.Pattern = "/msg=/workload=/streams=/mix="
	g := grid{}
	for _, b := range list {
		if slices.Contains([]string{"Echo", "Message", "Workload", "Stream", "Rate", "Capacity", "Load", "Stall", "Mix"}, b.Name) {
			for _, l := range b.Cases(f.Options, plan.Target{Variant: framework.Variant{Abilities: framework.Abilities{Streams: true}}}) {
				g.take(b, l)
			}
		}
	}
	text, err := os.ReadFile("../../../MEASURE.md")
	require.NoError(t, err)
	assert.Contains(t, string(text), g.markdown(), "MEASURE.md needs this table:\n%s", g.markdown())
}
