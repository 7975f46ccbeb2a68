// Package suite measures serializers and tells their properties: one table of
// entries serves correctness, speed, size and hostile input.
//
// A serializer's author imports it, describes the serializer by an Entry, and
// has TestMain call Main with a table of one or many. The functions that run over
// the table are named after the benchmarks and tests that call them:
// BenchmarkCodec calls Codec, BenchmarkParallel calls Parallel, and tests call
// Conformance, Properties, Together, Hostile and Readme. A fuzz target calls Fuzz
// with one entry.
package suite

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// Config is what Main is given.
type Config struct {
	// Entries is the table, in the order of the output.
	Entries []Entry
	// GoMod is the go.mod, embedded, of the module that holds TestMain: the
	// versions of the entries' modules are printed from it.
	GoMod []byte
}

// Main is the whole of a TestMain:
//
//	func TestMain(m *testing.M) { suite.Main(m, suite.Config{Entries: entries, GoMod: goMod}) }
//
// It plays the victim's part when the process was started for that; else it
// reads the flags, runs tests and benchmarks, and exits.
func Main(m *testing.M, c Config) {
	if isVictim() {
		os.Exit(victim(c.Entries))
	}
	flag.StringVar(&env.dataList, "data", "warm", "warm for 256 messages in turn, cold for 4096, which do not fit into the caches; or both, separated by a comma")
	flag.BoolVar(&env.cases, "cases", false, "print the names of the cases that -bench selects, and do nothing else")
	flag.IntVar(&env.mutations, "mutations", 100, "mutated messages a serializer meets in the test of hostile input, more than 0")
	flag.BoolVar(&env.update, "update", false, "write the files that tests compare, instead of comparing")
	flag.Parse()
	if err := env.setUp(c); err != nil {
		fmt.Fprintf(os.Stderr, "codecs: %v\n", err)
		os.Exit(2)
	}
	os.Exit(env.run(m))
}

func (e *environment) setUp(c Config) (err error) {
	if flag.NArg() > 0 {
		return fmt.Errorf("arguments left over after the flags: %q; write our flags with = and after the package", flag.Args())
	}
	e.data = strings.Split(e.dataList, ",")
	for _, d := range e.data {
		if d != "warm" && d != "cold" {
			return fmt.Errorf("-data=%s: must be warm or cold, or both separated by a comma", e.dataList)
		}
	}
	if e.mutations <= 0 {
		return fmt.Errorf("-mutations=%d: must be more than 0", e.mutations)
	}
	e.entries, e.ready = c.Entries, true
	if err := unique(c.Entries); err != nil {
		return err
	}
	e.versions, err = versionsOf(c.GoMod)
	return err
}

func unique(entries []Entry) error {
	seen := map[string]bool{}
	for _, e := range entries {
		if seen[e.ID()] {
			return fmt.Errorf("Config.Entries: %s is there twice", e.ID())
		}
		seen[e.ID()] = true
	}
	return nil
}

// run runs the tests and benchmarks. To list the cases it runs the benchmarks
// as well, whose leaves then do nothing, since package testing alone knows
// which of them a pattern selects.
func (e *environment) run(m *testing.M) (exitCode int) {
	if pattern := flag.Lookup("test.bench").Value.String(); pattern != "" && pattern != "^$" && !e.cases {
		e.printHeader(os.Stdout)
	}
	if !e.cases {
		return m.Run()
	}
	stdout := os.Stdout
	if os.Stdout, _ = os.OpenFile(os.DevNull, os.O_WRONLY, 0); os.Stdout == nil {
		return 2
	}
	exitCode = m.Run()
	fmt.Fprintln(stdout, strings.Join(e.names, "\n"))
	return exitCode
}

// printHeader prints the units and what stays the same for all lines.
func (e *environment) printHeader(w io.Writer) {
	config := map[string]string{"procs": fmt.Sprint(runtime.GOMAXPROCS(0))}
	config["go"], config["goexperiment"] = splitVersion(runtime.Version())
	for _, entry := range e.entries {
		if entry.Module != "" {
			config[entry.Codec] = e.versions[entry.Module]
		}
	}
	io.WriteString(w, units)
	for _, key := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintf(w, "%s: %s\n", key, config[key])
	}
}

// splitVersion splits the toolchain's version from its experiments, as in
// "go1.26.8-X:jsonv2"; older ones have a space there.
func splitVersion(goVersion string) (version, experiments string) {
	version, experiments, found := strings.Cut(goVersion, "X:")
	if !found {
		experiments = "none"
	}
	return strings.TrimRight(version, " -"), experiments
}

// versionsOf reads what a go.mod requires: a test binary's build information
// has no modules.
func versionsOf(goMod []byte) (map[string]string, error) {
	file, err := modfile.ParseLax("go.mod", goMod, nil)
	if err != nil {
		return nil, fmt.Errorf("Config.GoMod: %w", err)
	}
	versions := map[string]string{}
	for _, r := range file.Require {
		versions[r.Mod.Path] = r.Mod.Version
	}
	return versions, nil
}
