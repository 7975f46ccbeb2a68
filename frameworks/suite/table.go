package suite

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/rig"
)

// printTargets prints, as a table in Markdown, what is measured and how both
// sides of it are set up.
func printTargets(w io.Writer, targets []plan.Target) {
	row := func(cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	head := []string{"framework", "transport", "codec", "profile", "pool", "window", "connections", "calls", "streams", "several servers", "largest", "set-up"}
	row(head...)
	row(strings.Split(strings.Repeat("---,", len(head)-1)+"---", ",")...)
	for _, v := range targets {
		row(v.Framework, v.Transport, v.Codec, cmp.Or(v.Profile, "default"), v.Pool, v.Window, strings.Join(rig.ConnModels(v.Sharing), ", "), strings.Join(rig.Calls(v.Variant), ", "), streaming(v), balancing(v), largest(v), v.About)
	}
}

func streaming(v plan.Target) string {
	if v.Streams {
		return "yes"
	}
	return ""
}

func balancing(v plan.Target) string {
	if v.DialAll == nil {
		return "a client each"
	}
	return "balanced"
}

func largest(v plan.Target) string {
	if v.MaxMessage == 0 {
		return ""
	}
	return plan.FormatSize(v.MaxMessage)
}
