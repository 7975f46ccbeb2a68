package stack

import (
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
)

// ReadLayers reads a value of with=: layers joined by _, in any order. The stack has them in the order
// of layer.All. With TLS it needs certificates before it is used, see layer.Stack. With an error it is
// the zero stack.
func ReadLayers(text string) (layer.Stack, error) {
	var s layer.Stack
	words := strings.Split(text, "_")
	taken := map[string]layer.Layer{}
	for _, l := range layer.All() {
		switch n := occurrences(words, string(l)); {
		case n == 0:
			continue
		case n > 1:
			return layer.Stack{}, fmt.Errorf("with=%s: %s is there twice", text, l)
		case taken[group(l)] != "":
			return layer.Stack{}, fmt.Errorf("with=%s: %s and %s exclude each other", text, taken[group(l)], l)
		}
		taken[group(l)], s.Layers = l, append(s.Layers, l)
	}
	for _, word := range words {
		if !s.Has(layer.Layer(word)) {
			return layer.Stack{}, fmt.Errorf("with=%s: %q is no layer; layers are %s, joined by _", text, word, Names())
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

// group is what a layer does. Of the layers of a group a stack has one at most.
func group(l layer.Layer) string {
	switch l {
	case layer.TLS13, layer.MTLS:
		return "transport"
	case layer.OTel:
		return "tracing"
	}
	return "compression"
}
