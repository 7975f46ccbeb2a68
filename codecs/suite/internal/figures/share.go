package figures

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/markdown"
)

// share is the CPU time of a framework's call, and the part of it that its serializer
// takes, in ns.
type share struct {
	call       string
	cpu, codec float64
}

// ShareTable tells which part of the CPU time of an RPC its serializer takes. It compares
// the frameworks' Message benchmark, client and server together, with the same
// serializer and message alone. Calls whose serializer has no figures are left out.
func (f Figures) ShareTable() string {
	rows := [][]string{{"call", "CPU of a call, client + server, µs", "of it the serializer's, µs", "share"}}
	for _, s := range f.shares() {
		rows = append(rows, []string{
			s.call, fmt.Sprintf("%.1f", s.cpu/1000), fmt.Sprintf("%.1f", s.codec/1000), markdown.Whole(100*s.codec/s.cpu) + " %",
		})
	}
	return markdown.Table(rows)
}

func (f Figures) shares() (list []share) {
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		call, is := strings.CutPrefix(name, "Message/")
		cpu := f.median(name, "client-cpu-ns/op") + f.median(name, "server-cpu-ns/op")
		codec := f.serializerOfCall(keyOf(name, "framework"), keyOf(name, "codec"))
		if is && cpu > 0 && codec > 0 {
			list = append(list, share{call, cpu, codec})
		}
	}
	return list
}

// serializerOfCall is the CPU time that a serializer takes for a call, in
// which each side encodes into fresh memory and decodes into a new value; 0 if
// it has no figures. Frameworks and serializers do not call all things by the
// same names.
func (f Figures) serializerOfCall(framework, codec string) float64 {
	mode := ""
	switch framework + " " + codec {
	case "netrpc gob":
		mode = "/mode=stream" // one for a connection; others begin anew with each message
	case "kitex thrift":
		codec = "kitex"
	}
	base := "Codec/codec=" + codec + "/msg=bench/op="
	encode := f.median(base+string(bed.MarshalFresh)+mode, "cpu-ns/op")
	decode := f.median(base+string(bed.Unmarshal)+mode, "cpu-ns/op")
	if encode == 0 || decode == 0 {
		return 0
	}
	return 2 * (encode + decode)
}
