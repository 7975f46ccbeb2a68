package host

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Pinning says on which CPUs servers and the client run.
type Pinning struct {
	Server, Client CPUSet // both empty: not pinned
	Why            string // why they are not pinned; "" if they are
}

// Pinned reports whether server and client have CPUs of their own.
func (p Pinning) Pinned() bool { return len(p.Server) > 0 }

// String returns SERVER/CLIENT in the form that ParsePin reads, or "off (the reason)".
func (p Pinning) String() string {
	if !p.Pinned() {
		return "off (" + p.Why + ")"
	}
	return p.Server.String() + "/" + p.Client.String()
}

// ParsePin decides on which of the available CPUs servers and the client run:
//
//   - "auto" gives the first half to the server and the rest to the client. If
//     that is not possible it does not pin, and Why says the reason.
//   - "off" does not pin.
//   - SERVER/CLIENT, as in "0-3/4-7", names the CPUs. The two may not overlap,
//     and every CPU must be available.
//
// "auto" looks at the numbers only. Where the two hyperthreads of a core have distant
// numbers, it gives one to each side, and an explicit pinning is better.
func ParsePin(spec string, available CPUSet) (Pinning, error) {
	return parsePin(spec, available, runtime.GOOS)
}

func parsePin(spec string, available CPUSet, goos string) (Pinning, error) {
	switch {
	case spec == "off":
		return Pinning{Why: "as asked"}, nil
	case spec == "auto":
		return autoPin(available, goos), nil
	case !strings.Contains(spec, "/"):
		return Pinning{}, fmt.Errorf("pin %q: want auto, off or SERVER/CLIENT, as in 0-3/4-7", spec)
	case goos != "linux":
		return Pinning{}, fmt.Errorf("pin %q: pinning is not supported on %s; want auto or off", spec, goos)
	}
	return explicitPin(spec, available)
}

func autoPin(available CPUSet, goos string) Pinning {
	switch n := len(available); {
	case goos != "linux":
		return Pinning{Why: "not supported on " + goos}
	case n < 2:
		return Pinning{Why: fmt.Sprintf("%d CPU available, 2 needed", n)}
	default:
		return Pinning{Server: slices.Clone(available[:n/2]), Client: slices.Clone(available[n/2:])}
	}
}

func explicitPin(spec string, available CPUSet) (Pinning, error) {
	server, client, _ := strings.Cut(spec, "/")
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
	return Pinning{Server: s, Client: c}, nil
}

// parseSide reads one side of SERVER/CLIENT.
func parseSide(spec, side, cpus string, available CPUSet) (CPUSet, error) {
	if cpus == "" {
		return nil, fmt.Errorf("pin %q: %s names no CPU; want SERVER/CLIENT, as in 0-3/4-7", spec, side)
	}
	set, err := ParseCPUs(cpus)
	if err != nil {
		return nil, fmt.Errorf("pin %q: %s: %w", spec, side, err)
	}
	if missing := set.minus(available); len(missing) > 0 {
		return nil, fmt.Errorf("pin %q: CPU %s is not available; this process may use %s", spec, missing, available)
	}
	return set, nil
}
