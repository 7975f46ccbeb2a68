package rank

import (
	"testing"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

func TestRanks(t *testing.T) {
	const line = "brpc=ours tcp=reference a/h1/pb=beside a/net/pb/tuned/workers=beside later=first"
	for _, c := range []struct{ about, rank, name, want string }{
		{"a framework by its name", line, "framework=brpc/transport=x/codec=pb", Ours},
		{"whatever the benchmark's keys are", line, "framework=tcp/mode=bytes", Reference},
		{"a variant by its values", line, "framework=a/transport=h1/codec=pb/size=1KiB", Beside},
		{"the optional ones too", line, "framework=a/transport=net/codec=pb/conc=1/profile=tuned/pool=workers", Beside},
		{"not by some of them", line, "framework=a/transport=net/codec=pb/conc=1/profile=tuned", Ranked},
		{"nor where it has more", line, "framework=a/transport=h1/codec=pb/profile=nogzip", Ranked},
		{"what is not named is ranked", line, "framework=c/transport=h1/codec=pb", Ranked},
		{"bare bytes too, where the run says it", "x=ours", "framework=c/codec=none", Ranked},
		{"and so is what a later suite may say", line, "framework=later", Ranked},
		{"a text without the line knows bare bytes", "", "framework=tcp/codec=none", Reference},
		{"and ranks all others", "", "framework=brpc/codec=pb", Ranked},
	} {
		l := lines.Line{Name: lines.ParseName("BenchmarkEcho/" + c.name)}
		if c.rank != "" {
			l.Config = map[string]string{"rank": c.rank}
		}
		assert.Equal(t, c.want, Of(l), c.about)
	}
}

func TestVersions(t *testing.T) {
	config := map[string]string{"rank": "brpc=ours a/tuned=beside", "version-key": "netrpc=go", "go": "go1.26.8", "a": "v1", "brpc": "v9"}
	for _, c := range []struct{ about, name, want string }{
		{"a framework's own line", "framework=a", "v1"},
		{"beside a ranked row as well", "framework=a/profile=tuned", "v1"},
		{"the line that the run names", "framework=netrpc", "go1.26.8"},
		{"what is written here has none", "framework=brpc", ""},
		{"nor what names none", "framework=b", ""},
	} {
		l := lines.Line{Name: lines.ParseName("BenchmarkEcho/" + c.name)}
		l.Config = config
		assert.Equal(t, c.want, Version(l), c.about)
	}
}
