package suite

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// printVariants prints, as a table in Markdown, what is measured and how both
// sides of it are set up.
func printVariants(w io.Writer, variants []target) {
	row := func(cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	head := []string{"framework", "transport", "codec", "profile", "pool", "window", "connections", "calls", "streams", "several servers", "largest", "set-up"}
	row(head...)
	row(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ",")...)
	for _, v := range variants {
		row(v.Framework, v.Transport, v.Codec, cmp.Or(v.Profile, "default"), v.Pool, v.Window, connNamesOf(v.Sharing), strings.Join(v.calls(), ", "), v.streaming(), v.balancing(), v.largest(), v.About)
	}
}

func (v target) streaming() string {
	if v.Streams {
		return "yes"
	}
	return ""
}

func (v target) balancing() string {
	if v.DialAll == nil {
		return "a client each"
	}
	return "balanced"
}

func (v target) largest() string {
	if v.MaxMessage == 0 {
		return ""
	}
	return formatSize(v.MaxMessage)
}
