package anatomy

import "strings"

// Table says to which part the samples of a profile belong.
type Table struct {
	rules map[string]rule
	found map[string]rule // by the names that were looked up
}

// NewTable returns the table of parts, with further lines by what names of functions begin
// with, as in "github.com/me/rpc": "framework".
func NewTable(more map[string]string) *Table {
	t := &Table{map[string]rule{}, map[string]rule{}}
	for _, r := range rules() {
		t.rules[r.begins] = r
	}
	for begins, part := range more {
		t.rules[begins] = rule{begins: begins, part: part}
	}
	return t
}

// rule returns the rule with the longest beginning of a function's name; one without a part if there is
// none.
func (t *Table) rule(function string) rule {
	if r, known := t.found[function]; known {
		return r
	}
	var r rule
	for n := len(function); n > 0 && r.part == ""; n-- {
		r = t.rules[function[:n]]
	}
	t.found[function] = r
	return r
}

// Place is what a sample stands for.
type Place struct {
	Part string
	// Function is the innermost one that is no helper of Go's: the code that spends the
	// time, or has the runtime and the library spend it.
	Function string
}

// Of returns the place of a stack, whose innermost frame is the first. The innermost frame that
// has a part gives it.
func (t *Table) Of(side string, frames []string) Place {
	at, part := t.decide(frames)
	switch {
	case part == ours && side == "server":
		part = "handler"
	case part == ours:
		part = "load"
	}
	return Place{part, t.speaker(frames, at)}
}

// decide returns the frame that gives the part, and the part.
func (t *Table) decide(frames []string) (at int, part string) {
	helper, of := -1, ""
	for i, f := range frames {
		r := t.rule(f)
		switch {
		case helper >= 0 && !isRuntime(f):
			return helper, of
		case r.part == "" && !isLibrary(f):
			return i, "rest"
		case r.weak && helper < 0:
			helper, of = i, r.part
		case !r.weak && r.part != neutral && r.part != "":
			return i, r.part
		}
	}
	if helper >= 0 {
		return helper, of
	}
	return t.unnamed(frames)
}

// unnamed is a stack that nothing in it names. If all of it is the runtime's, it is a thread
// between goroutines.
func (t *Table) unnamed(frames []string) (at int, part string) {
	for i, f := range frames {
		if !isRuntime(f) {
			return i, "rest"
		}
	}
	return 0, "scheduler"
}

// isLibrary reports whether a function is of Go's library, or assembly, whose names have no
// package, or made by the compiler, as type:.hash.T for the keys of a map. Paths of modules begin
// with the name of a host.
func isLibrary(function string) bool {
	host, _, found := strings.Cut(function, "/")
	return !found || !strings.Contains(host, ".") || strings.HasPrefix(function, "type:")
}

func isRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/runtime/")
}

// speaker is the innermost frame at which a module's own code stands, from the deciding frame
// outwards; that frame itself if there is none, as for the collector's threads.
func (t *Table) speaker(frames []string, at int) string {
	for _, f := range frames[min(at, len(frames)):] {
		if t.rule(f).speaks() || !isLibrary(f) && t.rule(f).part == "" {
			return f
		}
	}
	if at < len(frames) {
		return frames[at]
	}
	return ""
}

// speaks reports whether a function does what it does for itself.
func (r rule) speaks() bool {
	switch r.part {
	case ours, "rest", "framework", "framing", "serializer", "compression", "tls", "handler", "load":
		return true
	}
	return false
}
