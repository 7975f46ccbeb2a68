package suite

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConnectionsThatWereNotAskedFor: each is a warning, and fails a ranked row.
func TestConnectionsThatWereNotAskedFor(t *testing.T) {
	unraced(t)
	t.Parallel()
	env := withFake(t)
	const none = "0 connections to the server where 10 are opened: calls took another way, as through a proxy, or the framework had closed them"
	for _, c := range []struct {
		about, framework, conns, says string
		args                          []string
	}{
		{"no connection to the server", "strayaway", "0", none, nil},
		{"none by way of a proxy", "strayaway", "0", none, []string{"-net=proxy-haproxy"}},
		{"none of two clients", "strayaway", "0", none, []string{"-clients=2"}},
		{"none that the server has", "straybeside", "10", "0 connections at the server where 10 are opened: something between both sides has connections of its own", nil},
		{"one too few", "strayone", "9", "9 connections to the server where 10 are opened: the framework opened or kept fewer", nil},
		{"one too few of each client", "strayone", "8", "8 connections to the server where 10 are opened: the framework opened or kept fewer", []string{"-clients=2"}},
		{"as many as were asked for", "tiny", "10", "", nil},
		{"as many of two clients over a Unix socket", "tiny", "10", "", []string{"-net=unix", "-clients=2"}},
		{"as many of three clients", "tiny", "9", "", []string{"-clients=3"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			for name, code := range map[string]int{c.framework: min(len(c.says), 1), "unranked" + c.framework: 0} {
				if name != c.framework && (c.says == "" || c.args != nil) {
					continue
				}
				out, said, got := selfIn(t, []string{env}, append(measuring("Echo/framework="+name+"/", "-size=1B", "-conc=10", "-test.benchtime=200x"), c.args...)...)
				require.Len(t, resultLines(out), 1, out+said)
				assert.Regexp(t, ` `+c.conns+`(\.00\d*)? conns\s`, resultLines(out)[0])
				assert.Equal(t, code, got, said)
				assert.Equal(t, code == 1, strings.Contains(said, "; so a ranked row fails"), said)
				if c.says == "" {
					assert.NotContains(t, said, " connections ")
				} else {
					assert.Contains(t, said, c.says)
				}
			}
		})
	}
}
