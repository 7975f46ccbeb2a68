// Package bounds says what a record can have, for those who check it before there is one.
package bounds

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/rpcbench/rpcbench/loadgen/internal/foreign"
)

const (
	Size  = 64 << 20 // bytes, which is more than any record needs
	Ranks = 100_000  // which is more agents than any run has

	maxRunName   = 256  // bytes
	maxBenchmark = 1000 // bytes
)

// Benchmark says in one sentence what is wrong with the name of a benchmark line.
func Benchmark(name string) error {
	switch {
	case len(name) > maxBenchmark:
		return fmt.Errorf("the name %.40q… has %d bytes: at most %d", name, len(name), maxBenchmark)
	case !strings.HasPrefix(name, "Benchmark") || strings.ContainsFunc(name, unicode.IsSpace) || foreign.Line(name) != name:
		return fmt.Errorf("the name %q must be that of a benchmark line, as in BenchmarkEcho/size=1KiB", name)
	}
	return nil
}

// RunName says in one sentence what is wrong with the name of a run.
func RunName(name string) error {
	if len(name) > maxRunName {
		return fmt.Errorf("the name of the run, %.40q…, has %d bytes: at most %d", name, len(name), maxRunName)
	}
	return nil
}

var ours = regexp.MustCompile(`^[^.].*,\d{8}T\d{6}\.\d{9},\d+-of-\d+\.json$`)

// IsFile reports whether a record is written into files of such names.
func IsFile(name string) bool { return ours.MatchString(name) }
