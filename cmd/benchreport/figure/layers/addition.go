package layers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/material"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/seen"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// added is what lines have and their bases lack, in the word for titles.
type added string

const (
	byLayers   added = "Layers"  // by with= in their names
	bySettings added = "Runtime" // by its settings
)

// layerKeys lists the keys of names that a base lacks.
func layerKeys() []string { return []string{"with", "metadata", "chain", "handshake"} }

// overLayers has the lines with layers beside their bases.
func overLayers() material.Axis {
	return material.Axis{Title: "layers", Keys: layerKeys()}
}

// layerOrder is the order of layers, as the suite's framework.AllLayers has it. A stack comes
// after its layers alone.
var layerOrder = []string{"tls13", "mtls", "gzip", "zstd", "snappy", "otel"}

// stack is what the keys of a line add to its base, in one word, as in tls13_metadata=20; "" for
// nothing.
func stack(n lines.Name) string {
	words := []string{n.Get("with")}
	for _, key := range counted {
		if value := n.Get(key); value != "" {
			words = append(words, key+"="+value)
		}
	}
	return strings.Trim(strings.Join(words, "_"), "_")
}

// counted are the keys that have numbers, of entries and of interceptors, so that their names
// begin the words for what they add. They come after layers.
var counted = []string{"metadata", "chain"}

// order is the place of a word of a stack; -1 for a setting.
func order(word string) int {
	key, _, _ := strings.Cut(word, "=")
	if i := slices.Index(counted, key); i >= 0 {
		return len(layerOrder) + i
	}
	return slices.Index(layerOrder, word)
}

// addition is what a line has and its base lacks; "" for a base.
func (s settings) addition(l lines.Line) string {
	words := []string{stack(l.Name), l.Get("handshake"), s.of(l)}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// additions lists the additions in a panel: layers in layerOrder, then settings in the order of
// the lines.
func (s settings) additions(g *material.Group) (list []string) {
	known := seen.Texts{"": true}
	for _, l := range g.Lines() {
		if a := s.addition(l); known.IsNew(a) {
			list = append(list, a)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int {
		m, n := stackOf(a), stackOf(b)
		return cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(order(m[0]), order(n[0])))
	})
	return list
}

// stackOf are the layers of an addition.
func stackOf(addition string) []string { return strings.Split(strings.Fields(addition)[0], "_") }

// isLayer reports whether an addition is layers, and not a setting.
func isLayer(addition string) bool { return order(stackOf(addition)[0]) >= 0 }

// titled says what is added: layers, or settings of the runtime.
func titled(g *material.Group, of string) string {
	return string(addedIn(g)) + ", " + of + ": " + g.TitleWithout(layerKeys()...)
}

// addedIn is what is added to some of the lines.
func addedIn(g *material.Group) added {
	if slices.ContainsFunc(g.Lines(), func(l lines.Line) bool { return stack(l.Name) != "" }) {
		return byLayers
	}
	return bySettings
}
