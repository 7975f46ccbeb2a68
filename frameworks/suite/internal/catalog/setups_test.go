package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

func TestSetUpsSayWhatIsSharedOnce(t *testing.T) {
	variant := func(transport, codec, profile, about string) framework.Variant {
		return framework.Variant{Keys: framework.Keys{Framework: "f", Transport: transport, Codec: codec, Profile: profile}, About: about}
	}
	for _, c := range []struct {
		about    string
		variants []framework.Variant
		want     string
	}{
		{
			"a clause of all variants",
			[]framework.Variant{variant("a", "x", "", "shared; first"), variant("b", "x", "", "shared; second")},
			"| all | shared |\n| `transport=a` | first |\n| `transport=b` | second |\n",
		},
		{
			"the fewest keys name those that have it, several values in a list",
			[]framework.Variant{variant("a", "x", "", ""), variant("a", "y", "", "by hand"), variant("a", "z", "", "by hand")},
			"| `codec=y,z` | by hand |\n",
		},
		{
			"a default is a key left out",
			[]framework.Variant{variant("a", "x", "", "slow"), variant("a", "x", "tuned", "fast")},
			"| without `profile` | slow |\n| `profile=tuned` | fast |\n",
		},
		{
			"two keys where one is not enough",
			[]framework.Variant{variant("a", "x", "", "both"), variant("a", "y", "", ""), variant("b", "x", "", "")},
			"| `transport=a` `codec=x` | both |\n",
		},
		{
			"whole names where keys would take in others",
			[]framework.Variant{variant("a", "x", "", "odd"), variant("a", "y", "", ""), variant("b", "x", "", ""), variant("b", "y", "", "odd")},
			"| `framework=f/transport=a/codec=x`, `framework=f/transport=b/codec=y` | odd |\n",
		},
		{
			"layers, those by the same means together",
			[]framework.Variant{{Keys: framework.Keys{Framework: "f", Transport: "a", Codec: "x"}, Layers: &framework.Layers{
				Has: map[layer.Layer]string{layer.Gzip: "a plug-in", layer.TLS13: "its option", layer.MTLS: "its option"},
			}}, variant("b", "x", "", "")},
			"| `transport=a` | `-with=tls13,mtls`: its option; `-with=gzip`: a plug-in |\n",
		},
		{
			"clauses of the same variants share a line",
			[]framework.Variant{variant("a", "x", "", "one; two"), variant("b", "x", "", "three")},
			"| `transport=a` | one; two |\n| `transport=b` | three |\n",
		},
	} {
		var out strings.Builder
		printSetUps(&out, c.variants)
		assert.Equal(t, "\n### f\n\n| variants | set-up |\n| --- | --- |\n"+c.want, out.String(), c.about)
	}
}

func TestVariantsThatDifferInOneColumnShareARow(t *testing.T) {
	variant := func(codec, profile string, largest int) plan.Target {
		return plan.Target{Variant: framework.Variant{Keys: framework.Keys{Framework: "f", Transport: "t", Codec: codec, Profile: profile}, Limits: framework.Limits{MaxMessage: largest}}}
	}
	rows := variantRows([]plan.Target{variant("x", "", 0), variant("x", "tuned", 0), variant("y", "", 0), variant("z", "", 1024)})
	assert.Equal(t, [][]string{
		{"f", "t", "x, y", "default", "single, fixed", "sync", "", "a client each", ""},
		{"f", "t", "x", "profile=tuned", "single, fixed", "sync", "", "a client each", ""},
		{"f", "t", "z", "default", "single, fixed", "sync", "", "a client each", "1KiB"},
	}, rows)
}
