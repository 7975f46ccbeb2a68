package plan

import (
	"errors"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// selection is what is measured: which variants, and which of their cases.
type selection struct {
	set        string
	Frameworks List[string]
	References bool     // are measured, too
	Message    string   // that Message sends: the value of -msg
	Unsent     []string // frameworks that cannot send it
	Servers    List[server]
	peer       string
	Windows    List[int] // receive windows in bytes, beside those that variants have
	Layers     List[layer.Stack]
	Metadata   List[metadata.Set]
	Chains     List[int] // interceptors on each side

	Pattern string   // of -test.bench; NoCase unless it is set
	Skip    string   // of -test.skip; "" skips nothing
	Binary  []string // the benchmarks of this binary; nil: not known
}

// BenchMessage is the value of -msg for the bench message.
const BenchMessage = "bench"

// NoCase is a pattern that selects none.
const NoCase = "^$"

// The values of -set.
const (
	setAll         = "all"
	setRecommended = "recommended"
	setProtobuf    = "protobuf"
	setBeside      = "beside"
)

func newSelection() selection {
	text := func(s string) (string, error) { return s, nil }
	return selection{
		set: setAll, References: true, Pattern: NoCase, Message: BenchMessage,
		Frameworks: NewList("", text),
		Servers:    List[server]{read: readServer, appends: true, optional: true},
		Windows:    NewList("", ParseSize),
		Layers:     NewList("", stack.ReadLayers),
		Metadata:   NewList("", metadata.Read),
		Chains:     NewList("", stack.ReadChain),
	}
}

func (s *selection) register(fs *flag.FlagSet) {
	fs.StringVar(&s.set, "set", s.set, "`variants`: all, recommended for one of each framework, protobuf for one of each that sends it, "+
		"beside for these and what reports show beside them, or several as in protobuf,recommended; raw TCP is in all four")
	fs.Var(&s.Frameworks, "framework", "`frameworks` to measure; empty for all")
	fs.BoolVar(&s.References, "references", s.References, "measure references that the binary has beside its frameworks")
	fs.StringVar(&s.Message, "msg", s.Message, "`message` of Message, and of Rate, Capacity and Load: bench, or large for 7.4 KB of nested ones, "+
		"from the frameworks that send any message of Protocol Buffers")
	fs.Var(&s.Windows, "window", "`sizes` of the receive windows that Stream and Bulk measure beside the default ones, as in 64KiB,4MiB; "+
		"of a stream, or of a TCP connection; frameworks/README.md says who has them")
	fs.Var(&s.Layers, "with", "`layers` around each variant that has them, beside the variant without: "+stack.Names()+
		"; joined by _, as in tls13,tls13_gzip; see frameworks/layers.md")
	fs.Var(&s.Metadata, "metadata", fmt.Sprintf("`entries` of metadata that calls carry both ways by each framework's own means, beside their messages: ENTRIES with names of %d bytes and values of %d, "+
		"ENTRIES:BYTES with others, -binary for values of any bytes, -fresh for values that no two calls share; 0 measures the variant as it is, as in 0,2,20,20-fresh", metadata.NameBytes, metadata.DefaultBytes))
	fs.Var(&s.Chains, "chain", fmt.Sprintf("`numbers` of interceptors that do nothing and that calls pass on both sides, by each framework's own means, 0 to %d; "+
		"0 measures the variant as it is, as in 0,1,5", stack.MostChained))
	fs.Var(&s.Servers, "server", "measure a `server` that is running already: VARIANT@HOST:PORT, by as many of the variant's keys "+
		"as tell it from others; may be repeated; see frameworks/PROTOCOL.md")
	fs.StringVar(&s.peer, "peer", "", "`name` of the servers of -server, the last key of their lines, as in peer=dubbo-java")
}

// Names reports whether the pattern of -bench has an alternative that selects cases of a
// benchmark, and names a key in it.
func (s *selection) Names(benchmark, key string) bool {
	if !strings.Contains(s.Pattern, key) { // mostly, and it is asked for every variant
		return false
	}
	word := regexp.MustCompile(`\b` + key + `\b`) // msgpack does not name msg
	m, _ := compileMatcher("-bench", s.Pattern)
	return slices.ContainsFunc(m, func(a alternative) bool {
		return word.MatchString(a.text) && a.elements[0].MatchString("Benchmark"+benchmark)
	})
}

// procsLike is what package testing adds to names where GOMAXPROCS is not 1.
var procsLike = regexp.MustCompile(`-\d+$`)

func (s *selection) check() error {
	switch {
	case strings.ContainsAny(s.peer, "/=, \t\n"):
		return fmt.Errorf("-peer=%s: must be a name without any of / = , and space", s.peer)
	case procsLike.MatchString(s.peer):
		return fmt.Errorf("-peer=%s: benchstat takes a number behind a dash at the end of a name for GOMAXPROCS; write it without the dash", s.peer)
	case s.peer != "" && !s.Given():
		return fmt.Errorf("-peer=%s names the servers of -server: give both", s.peer)
	case s.Given() && (s.Frameworks.String() != "" || s.set != setAll):
		return errors.New("-server says what is measured: leave -framework and -set out")
	case s.Given() && s.Windows.Given():
		return errors.New("-server names a window by its keys, as in framework=tcp/transport=conn/codec=none/window=64KiB@HOST:PORT: leave -window out")
	case s.Given() && s.Layers.Given():
		return errors.New("-server names layers by its keys, as in framework=grpc/transport=h2/codec=protobuf/with=tls13@HOST:PORT: leave -with out")
	case s.Given() && s.Metadata.Given():
		return errors.New("-server names metadata by its keys, as in framework=grpc/transport=h2/codec=protobuf/metadata=20@HOST:PORT: leave -metadata out")
	case s.Given() && s.Chains.Given():
		return errors.New("-server names interceptors by its keys, as in framework=grpc/transport=h2/codec=protobuf/chain=5@HOST:PORT: leave -chain out")
	case s.Windows.Given() && s.Layers.Given():
		return errors.New("-window and -with make variants each: give one")
	case s.Windows.Given() && s.Metadata.Given():
		return errors.New("-window and -metadata make variants each: give one")
	case s.Windows.Given() && s.Chains.Given():
		return errors.New("-window and -chain make variants each: give one")
	}
	return nil
}

// StandsFor reports whether a benchmark that measures one variant of a framework measures
// this one.
func (s *selection) StandsFor(v framework.Variant) bool {
	return v.Recommended || s.oneCodec() && v.Rank != framework.Beside
}

// sets are the sets of which the variants are taken together.
func (s *selection) sets() []string { return strings.Split(s.set, ",") }

// oneCodec reports whether one of the sets is of variants that send protobuf.
func (s *selection) oneCodec() bool { return slices.ContainsFunc(s.sets(), ofOneCodec) }

func ofOneCodec(set string) bool { return set == setProtobuf || set == setBeside }

// Given reports whether the servers are running already.
func (s *selection) Given() bool { return len(s.Servers.Values) > 0 }

// selectors names the flags that leave out variants.
func (s *selection) selectors() string {
	list := []string{"-server"}
	if !s.Given() {
		list = nil
	}
	if s.set != setAll {
		list = append(list, "-set="+s.set)
	}
	if names := s.Frameworks.String(); names != "" {
		list = append(list, "-framework="+names)
	}
	return strings.Join(list, " ")
}

// wants reports whether -framework selects a framework.
func (s *selection) wants(name string) bool {
	return len(s.Frameworks.Values) == 0 || slices.Contains(s.Frameworks.Values, name)
}

// inSet reports whether a variant of the table is of the set.
func (s *selection) inSet(v framework.Variant, table []framework.Variant) bool {
	if s.asksFor(v.Window) {
		return true
	}
	return slices.ContainsFunc(s.sets(), func(set string) bool { return in(set, v, table) })
}

// in reports whether a variant of the table is in a set.
func in(set string, v framework.Variant, table []framework.Variant) bool {
	switch set {
	case setRecommended:
		return v.Recommended
	case setProtobuf:
		return represents(v, table)
	case setBeside:
		return represents(v, table) || standsBeside(v, table)
	}
	return true
}

// represents reports whether a variant is the one of its framework that sends
// protobuf, or a reference.
func represents(v framework.Variant, table []framework.Variant) bool {
	i := protobufOf(v.Framework, table)
	return v.Rank == framework.Reference && v.Recommended || i >= 0 && v.ID() == table[i].ID()
}

// standsBeside reports whether a variant stands beside one that represents its
// framework: the ranked one of the same transport, or where that transport has none
// any.
func standsBeside(v framework.Variant, table []framework.Variant) bool {
	if v.Rank != framework.Beside || v.Codec != setProtobuf {
		return false
	}
	i := slices.IndexFunc(table, func(w framework.Variant) bool {
		return w.Framework == v.Framework && w.Transport == v.Transport && w.Codec == v.Codec && w.Rank == framework.Ranked
	})
	return i < 0 || represents(table[i], table)
}

// protobufOf returns the index of the variant that sends protobuf for a framework: the
// recommended one, else one of its transport, else any; -1 if none does.
func protobufOf(name string, table []framework.Variant) int {
	r := slices.IndexFunc(table, func(v framework.Variant) bool { return v.Framework == name && v.Recommended })
	sends := func(v framework.Variant) bool {
		return v.Framework == name && v.Codec == setProtobuf && v.Rank != framework.Beside
	}
	plain := func(v framework.Variant) bool { return sends(v) && v.OptionalKeys() == "" }
	for _, fits := range []func(framework.Variant) bool{
		func(v framework.Variant) bool { return sends(v) && v.Recommended },
		func(v framework.Variant) bool { return plain(v) && r >= 0 && v.Transport == table[r].Transport },
		plain,
	} {
		if at := slices.IndexFunc(table, fits); at >= 0 {
			return at
		}
	}
	return -1
}

// withoutCodec lists the selected frameworks that have no variant where all sets are of one
// codec. References need none.
func (s *selection) withoutCodec(table []framework.Variant) []string {
	others := slices.ContainsFunc(s.sets(), func(set string) bool { return !ofOneCodec(set) })
	return frameworksOf(table, func(v framework.Variant) bool {
		return !others && s.wants(v.Framework) && v.Rank != framework.Reference && !v.StandIn && protobufOf(v.Framework, table) < 0
	})
}

// frameworksOf lists the frameworks of the variants for which is returns true, each once.
func frameworksOf(table []framework.Variant, is func(framework.Variant) bool) (names []string) {
	for _, v := range table {
		if is(v) && !slices.Contains(names, v.Framework) {
			names = append(names, v.Framework)
		}
	}
	return names
}

// FrameworksOf lists the frameworks of a table, each once.
func FrameworksOf(table []framework.Variant) []string {
	return frameworksOf(table, func(framework.Variant) bool { return true })
}

// checkVariants returns an error for a set or a framework that does not exist, and for
// messages that cannot be sent.
func (s *selection) checkVariants(table []framework.Variant) error {
	for _, set := range s.sets() {
		if _, err := OneOf(setAll, setRecommended, setProtobuf, setBeside)(set); err != nil {
			return fmt.Errorf("-set: %w", err)
		}
	}
	for _, v := range table {
		if v.Sent != nil && v.Sent.Fault != nil {
			return fmt.Errorf("%s: %w", v.ID(), v.Sent.Fault)
		}
	}
	known := FrameworksOf(table)
	for _, name := range s.Frameworks.Values {
		if slices.Contains(s.Unsent, name) {
			return fmt.Errorf("-framework=%s -msg=%s: its adapter cannot send that message; these can: %s", name, s.Message, strings.Join(known, ", "))
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("-framework: unknown framework %q%s", name, Instead(name, known))
		}
	}
	return nil
}

// asksFor reports whether -window lists a window.
func (s *selection) asksFor(window string) bool {
	return window != "" && slices.ContainsFunc(s.Windows.Values, func(n int) bool { return FormatSize(n) == window })
}

// server is a value of -server: VARIANT@HOST:PORT.
type server struct{ text, keys, addr string }

// readServer leaves errors to target, which names the whole value.
func readServer(text string) (server, error) {
	keys, addr, _ := strings.Cut(text, "@")
	return server{text, keys, addr}, nil
}
