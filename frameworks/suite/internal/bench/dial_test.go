package bench

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

func TestCasesOfDial(t *testing.T) {
	for _, c := range []struct {
		about   string
		variant framework.Variant
		want    []string
	}{
		{"a line for each time", framework.Variant{}, []string{"down=none", "down=1s"}},
		{"optional keys come last", framework.Variant{Keys: framework.Keys{Profile: "tuned"}}, []string{"down=none/profile=tuned", "down=1s/profile=tuned"}},
		{"clients that stay open are not many", framework.Variant{Connections: framework.Connections{StaysOpen: true}}, []string{"down=1s"}},
		{"a variant that only advises another number of connections", framework.Variant{Connections: framework.Connections{Sharing: framework.Mux, Conns: 2}}, nil},
	} {
		c.variant.Framework = "a"
		p := planned(t, []framework.Variant{c.variant}, "-bench=Dial", "-down=none,1s", "-conns=7")
		assert.Equal(t, c.want, keys(p), c.about)
		for _, one := range p.Selected() {
			assert.Equal(t, 1, one.Opens(), "-conns does not apply")
		}
	}
}
