package legend

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestWhatReportsReadOfVariants(t *testing.T) {
	ranked := framework.Variant{Keys: framework.Keys{Framework: "fast", Transport: "tcp", Codec: "gob"}, Modules: []string{"example.com/fast/v2"}}
	tuned := ranked
	tuned.Profile, tuned.Pool, tuned.Rank = "tuned", "workers", framework.Beside
	std := framework.Variant{Keys: framework.Keys{Framework: "netrpc"}, Modules: []string{"std", "example.com/codec"}}
	bare := framework.Variant{Keys: framework.Keys{Framework: "tcp"}, Abilities: framework.Abilities{Kind: framework.Bare}, Rank: framework.Reference}
	streams := bare
	streams.Streams = true
	ours := framework.Variant{Keys: framework.Keys{Framework: "brpc"}, Rank: framework.Ours, Modules: []string{"std"}}
	for _, c := range []struct {
		about, rank, key string
		variants         []framework.Variant
	}{
		{"of those that are ranked, under their own names, nothing", "", "", []framework.Variant{ranked}},
		{"one of several is named by its values", "fast/tcp/gob/tuned/workers=beside", "", []framework.Variant{ranked, tuned}},
		{"a rank that all variants share, by the framework", "brpc=ours tcp=reference", "", []framework.Variant{bare, ours, bare, ours}},
		{"iperf3 is measured beside streams of bare bytes", "iperf3=reference tcp=reference", "", []framework.Variant{streams}},
		{"the standard library has Go's version", "", "netrpc=go", []framework.Variant{std, ranked}},
		{"also where no module is named", "", "jsonrpc=go", []framework.Variant{{Keys: framework.Keys{Framework: "jsonrpc"}}}},
		{"a module may have another name", "", "tars=tarsgo", []framework.Variant{{Keys: framework.Keys{Framework: "tars"}, Modules: []string{"github.com/TarsCloud/TarsGo"}}}},
	} {
		want := map[string]string{}
		if c.rank != "" {
			want["rank"] = c.rank
		}
		if c.key != "" {
			want["version-key"] = c.key
		}
		assert.Equal(t, want, About(c.variants), c.about)
	}
}
