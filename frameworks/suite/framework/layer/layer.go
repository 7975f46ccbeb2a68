// Package layer tells adapters what production puts around their framework: TLS, compression
// and tracing on both sides, metadata beside the messages, and chains of interceptors.
//
// An adapter lists what its framework has in framework.Layers, whose With gets a Stack of it. The
// Stack also makes the configurations of TLS for both sides.
package layer

import (
	"fmt"
	"strings"
)

// Layer is what production puts around a framework, on both sides.
type Layer string

// The layers. Messages are compressed both ways.
const (
	TLS13  Layer = "tls13"  // TLS 1.3, in which the client verifies the server
	MTLS   Layer = "mtls"   // TLS 1.3, in which the server verifies the client as well
	Gzip   Layer = "gzip"   // at the default level of the framework's own compressor
	Zstd   Layer = "zstd"   // at the default level
	Snappy Layer = "snappy" // in the format that the framework uses
	OTel   Layer = "otel"   // OpenTelemetry's SDK: every call is traced, and spans are discarded
)

// group is what a layer does. Of the layers of a group a stack has one at most.
func (l Layer) group() string {
	switch l {
	case TLS13, MTLS:
		return "transport"
	case OTel:
		return "tracing"
	}
	return "compression"
}

// All lists the layers, in the order in which with= has them.
func All() []Layer { return []Layer{TLS13, MTLS, Gzip, Zstd, Snappy, OTel} }

// Read reads a value of with=: layers joined by _, in any order. The Stack has them in the order
// of All. With TLS it needs certificates before it is used, see Certified. With an error it is
// the zero Stack.
func Read(text string) (Stack, error) {
	var s Stack
	words := strings.Split(text, "_")
	taken := map[string]Layer{}
	for _, l := range All() {
		switch n := occurrences(words, string(l)); {
		case n == 0:
			continue
		case n > 1:
			return Stack{}, fmt.Errorf("with=%s: %s is there twice", text, l)
		case taken[l.group()] != "":
			return Stack{}, fmt.Errorf("with=%s: %s and %s exclude each other", text, taken[l.group()], l)
		}
		taken[l.group()], s.Layers = l, append(s.Layers, l)
	}
	for _, word := range words {
		if !s.Has(Layer(word)) {
			return Stack{}, fmt.Errorf("with=%s: %q is no layer; layers are %s, joined by _", text, word, join(All(), ", "))
		}
	}
	return s, nil
}

func occurrences(words []string, word string) (n int) {
	for _, w := range words {
		if w == word {
			n++
		}
	}
	return n
}

// join joins the words of layers.
func join(list []Layer, separator string) string {
	var words []string
	for _, l := range list {
		words = append(words, string(l))
	}
	return strings.Join(words, separator)
}
