package cpus

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Pinning says on which CPUs servers and the client run.
type Pinning struct {
	Server, Client Set    // both empty: not pinned
	Line           Set    // of the process that carries packets over a network
	Why            string // why they are not pinned; "" if they are
	Cores          string // which cores "auto" or Graded chose, and which CPUs it leaves out; "" for other pinnings
	Doubts         []string
	Grades         []Grade // of Graded, the smallest first; Server is that of the last

	lineAsked bool
}

// Pinned reports whether server and client have CPUs of their own.
func (p Pinning) Pinned() bool { return len(p.Server) > 0 }

// String returns SERVER/CLIENT in the form that ParsePin reads, or "off (the reason)". Of Graded it
// has the largest server, which may share CPUs with the client.
func (p Pinning) String() string {
	if !p.Pinned() {
		return "off (" + p.Why + ")"
	}
	sides := p.Server.String() + "/" + p.Client.String()
	if p.lineAsked {
		sides += "/" + p.Line.String()
	}
	return sides
}

// ParsePin decides on which of the available CPUs servers and the client run:
//
//   - "auto" gives both sides the same number of whole cores: of one kind, where the
//     processor has several, and of one node, where the kind has two cores there. If a
//     quota of CPU time allows less than these CPUs, both sides get fewer, so that
//     neither is held back. Where two sides cannot be had it does not pin, and Why says
//     the reason.
//   - "off" does not pin.
//   - SERVER/CLIENT, as in "0-3/4-7", names the CPUs. The two may not overlap,
//     and every CPU must be available.
//   - SERVER/CLIENT/LINE names those of the process that carries packets over a network as
//     well, which may be any. Otherwise it has the CPUs that both sides leave, and where
//     they leave none, all of them.
//
// Doubts say what makes a pinning unfair or unsteady, such as a core that both sides
// share.
func ParsePin(spec string, available Set, t Topology) (Pinning, error) {
	return parsePin(spec, available, t, runtime.GOOS)
}

func parsePin(spec string, available Set, t Topology, goos string) (p Pinning, err error) {
	switch {
	case spec == "off":
		p = Pinning{Why: "as asked"}
	case spec == "auto":
		p = autoPin(available, t, goos)
	case !strings.Contains(spec, "/"):
		return p, fmt.Errorf("pin %q: want auto, off or SERVER/CLIENT, as in 0-3/4-7", spec)
	case goos != "linux":
		return p, fmt.Errorf("pin %q: pinning is not supported on %s; want auto or off", spec, goos)
	default:
		p, err = explicitPin(spec, available)
	}
	p.Doubts = append(p.Doubts, t.doubts(p, available)...)
	if p.Line == nil {
		p.Line = available.minus(slices.Concat(p.Server, p.Client))
	}
	if len(p.Line) == 0 {
		p.Line = available
	}
	return p, err
}

func autoPin(available Set, t Topology, goos string) Pinning {
	switch n := len(available); {
	case goos != "linux":
		return Pinning{Why: "not supported on " + goos}
	case n < 2:
		return Pinning{Why: fmt.Sprintf("%d CPU available, 2 needed", n)}
	}
	h := t.halve()
	return Pinning{Server: cpusOf(h.server), Client: cpusOf(h.client), Cores: t.describe(h), Doubts: h.doubts}
}

func explicitPin(spec string, available Set) (Pinning, error) {
	server, client, _ := strings.Cut(spec, "/")
	client, carrier, asked := strings.Cut(client, "/")
	s, err := parseSide(spec, "SERVER", server, available)
	if err != nil {
		return Pinning{}, err
	}
	c, err := parseSide(spec, "CLIENT", client, available)
	if err != nil {
		return Pinning{}, err
	}
	if shared := s.minus(s.minus(c)); len(shared) > 0 {
		return Pinning{}, fmt.Errorf("pin %q: CPU %s is on both sides; server and client must not share one", spec, shared)
	}
	p := Pinning{Server: s, Client: c, lineAsked: asked}
	if asked {
		p.Line, err = parseSide(spec, "LINE", carrier, available)
	}
	return p, err
}

// parseSide reads one side of SERVER/CLIENT.
func parseSide(spec, side, cpus string, available Set) (Set, error) {
	if cpus == "" {
		return nil, fmt.Errorf("pin %q: %s names no CPU; want SERVER/CLIENT, as in 0-3/4-7", spec, side)
	}
	set, err := Parse(cpus)
	if err != nil {
		return nil, fmt.Errorf("pin %q: %s: %w", spec, side, err)
	}
	if missing := set.minus(available); len(missing) > 0 {
		return nil, fmt.Errorf("pin %q: CPU %s is not available; this process may use %s", spec, missing, available)
	}
	return set, nil
}

// doubts says what is wrong with a pinning.
func (t Topology) doubts(p Pinning, available Set) (list []string) {
	if shared := t.shared(p); len(shared) > 0 {
		list = append(list, fmt.Sprintf("server and client share the core of CPUs %s: each slows the other", strings.Join(shared, " and that of ")))
	}
	used := slices.Concat(p.Server, p.Client)
	if !p.Pinned() {
		used = available
	}
	return append(list, t.doubtQuota(len(used))...)
}

// doubtQuota says that a quota of CPU time does not suffice for the CPUs of both sides.
func (t Topology) doubtQuota(used int) []string {
	if t.quota <= 0 || t.quota >= float64(used) {
		return nil
	}
	return []string{fmt.Sprintf("a quota of %g CPUs is less than the %d of both sides, and holds back whichever runs when it is used up", round(t.quota), used)}
}

// shared lists the CPUs of cores that both sides use.
func (t Topology) shared(p Pinning) (list []string) {
	for _, c := range t.cores {
		server, client := c.threads.minus(p.Server), c.threads.minus(p.Client)
		if len(server) < len(c.threads) && len(client) < len(c.threads) {
			list = append(list, c.threads.String())
		}
	}
	return list
}
