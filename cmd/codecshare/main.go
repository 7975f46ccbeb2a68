// Codecshare tells what part of an RPC its serializer is: it sets the CPU time
// of the Message benchmark, of client and server, against what the same
// serializer takes for the same message alone.
//
//	codecshare FRAMEWORKS CODECS
//
// FRAMEWORKS are lines of make bench, CODECS those of make bench-codecs, of one
// machine. A call is four operations: each side encodes into fresh memory and
// decodes into a new value. Serializers of frameworks that CODECS does not have
// are left out.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: codecshare FRAMEWORKS CODECS")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "codecshare: %v\n", err)
		os.Exit(1)
	}
}

func run(frameworks, codecs string, out io.Writer) error {
	calls, err := read(frameworks)
	if err != nil {
		return err
	}
	alone, err := read(codecs)
	if err != nil {
		return err
	}
	list := shares(calls, alone)
	if len(list) == 0 {
		return fmt.Errorf("%s and %s have no serializer of the message in common", frameworks, codecs)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "call\tCPU µs\tserializer µs\tshare")
	for _, s := range list {
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.0f %%\n", s.call, s.cpu/1000, s.codec/1000, 100*s.codec/s.cpu)
	}
	return w.Flush()
}

// lines are the values of all rounds by name and unit.
type lines map[string]map[string][]float64

func read(file string) (lines, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l := lines{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); strings.HasPrefix(line, "Benchmark") && len(f) > 3 {
			l.add(withoutProcs(strings.TrimPrefix(f[0], "Benchmark")), f[2:])
		}
	}
	return l, nil
}

// withoutProcs cuts the number of procs that testing adds to a name.
func withoutProcs(name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name
	}
	return name[:i]
}

func (l lines) add(name string, pairs []string) {
	if l[name] == nil {
		l[name] = map[string][]float64{}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if v, err := strconv.ParseFloat(pairs[i], 64); err == nil {
			l[name][pairs[i+1]] = append(l[name][pairs[i+1]], v)
		}
	}
}

// median is that of a name's unit; 0 if there is none.
func (l lines) median(name, unit string) float64 {
	list := slices.Sorted(slices.Values(l[name][unit]))
	if len(list) == 0 {
		return 0
	}
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// share is a call and what of its CPU time, in ns, is the serializer's.
type share struct {
	call       string
	cpu, codec float64
}

func shares(calls, alone lines) (list []share) {
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		cpu := calls.median(name, "client-cpu-ns/op") + calls.median(name, "server-cpu-ns/op")
		codec := ofCall(alone, key(name, "framework"), key(name, "codec"))
		if strings.HasPrefix(name, "Message/") && cpu > 0 && codec > 0 {
			list = append(list, share{strings.TrimPrefix(name, "Message/"), cpu, codec})
		}
	}
	return list
}

// ofCall is what the serializer takes for a call, both sides; 0 if it is not
// there. Frameworks and serializers do not call all things by the same names.
func ofCall(alone lines, framework, codec string) float64 {
	mode := ""
	switch {
	case codec == "gob":
		mode = "/mode=stream" // of net/rpc, on a connection
	case framework == "kitex" && codec == "thrift":
		codec = "kitex"
	}
	base := "Codec/codec=" + codec + "/msg=bench/op="
	encode := alone.median(base+"marshal_fresh"+mode, "ns/op")
	decode := alone.median(base+"unmarshal"+mode, "ns/op")
	if encode == 0 || decode == 0 {
		return 0
	}
	return 2 * (encode + decode)
}

// key is the value of a key in a benchmark's name.
func key(name, of string) string {
	for part := range strings.SplitSeq(name, "/") {
		if value, ok := strings.CutPrefix(part, of+"="); ok {
			return value
		}
	}
	return ""
}
