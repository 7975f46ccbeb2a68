package figure

import (
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

const aboutHandshakes = "New clients of TLS, one after the other, each with one call: with a full handshake, or one that resumes the session of the client before. /s: new clients a second, one after the other, each with one handshake. –: the client's library resumes no session, or does not say. Medians of all rounds."

// kindsOfHandshake are the values of handshake=.
var kindsOfHandshake = []string{"full", "resumed"}

var handshakeColumns = []sized{
	{"/s", "calls/s", 1},
	{"dial ms", "dial-ns", 1e6},
	{"first call ms", "first-call-ns", 1e6},
	{"client CPU µs", "client-cpu-ns/op", 1e3},
	{"server CPU µs", "server-cpu-ns/op", 1e3},
}

// unlike reports whether the handshakes of a line are not those of its name, as where a
// client's library resumes none, or does not say so.
func unlike(l lines.Line) bool {
	resumed, told := l.Values["resumed-%"]
	kind := l.Get("handshake")
	return kind != "" && (!told || kind == "resumed" && resumed < 99 || kind == "full" && resumed > 1)
}

// handshakes has a row for each variant with each stack of layers; none if no line tells
// its handshakes.
func (y *layering) handshakes(g *lineGroup) []Table {
	t := Table{Title: g.titled("handshakes"), Text: 2, Note: aboutHandshakes, Head: []string{"framework", "with"}, Measured: measured(g.all())}
	for _, c := range handshakeColumns {
		for _, kind := range kindsOfHandshake {
			t.Head = append(t.Head, strings.Replace(kind+" "+c.head, " /", "/", 1))
		}
	}
	g.sortBy()
	for _, v := range g.variants {
		for _, with := range v.stacks() {
			t.Rows = append(t.Rows, append([]string{v.label, with}, v.handshakes(with)...))
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []Table{t}
}

// stacks are the layers of lines that tell their handshakes.
func (v *variant) stacks() (list []string) {
	known := seen{}
	for _, l := range v.lines {
		if with := l.Get("with"); l.Get("handshake") != "" && known.isNew(with) {
			list = append(list, with)
		}
	}
	return list
}

func (v *variant) handshakes(with string) (cells []string) {
	for _, c := range handshakeColumns {
		for _, kind := range kindsOfHandshake {
			one := slices.DeleteFunc(slices.Clone(v.lines), func(l lines.Line) bool { return l.Get("with") != with || l.Get("handshake") != kind || unlike(l) })
			cell := missing
			if values := (&variant{lines: one}).values(c.unit); len(values) > 0 {
				cell = digits(median(values) / c.size)
			}
			cells = append(cells, cell)
		}
	}
	return cells
}
