package cpus

// halves are cores for both sides.
type halves struct {
	server, client []core
	kind           []core // those of the kind that was chosen
	limited        bool   // by a quota of CPU time
	doubts         []string
}

// halve gives both sides equal parts of the cores. There must be two CPUs at least.
func (t Topology) halve() halves {
	h := t.choose()
	h.limit(t.quota)
	return h
}

// choose takes the cores of one kind and one node: the fastest kind of which there are
// two cores, and the node with the most of them. With several kinds chance would decide
// on which one a call runs, and their CPU times cannot be compared.
func (t Topology) choose() halves {
	for _, kind := range kinds(t.cores) {
		best := halves{}
		for _, node := range byNode(kind) {
			if h := split(node); len(cpusOf(h.server)) > len(cpusOf(best.server)) {
				best = h
			}
		}
		if len(best.server) == 0 {
			best = split(kind)
		}
		if len(best.server) > 0 {
			best.kind = kind
			return best
		}
	}
	return t.mixed()
}

// mixed divides cores of which no two are of one kind: the threads of a single core,
// else one CPU of each of the first two cores.
func (t Topology) mixed() halves {
	h := halves{kind: t.cores}
	if len(t.cores) == 1 {
		only := t.cores[0]
		half := len(only.free) / 2
		h.server, h.client = []core{only.with(only.free[:half])}, []core{only.with(only.free[half : 2*half])}
		return h
	}
	first, second := t.cores[0], t.cores[1]
	h.server, h.client = []core{first.with(first.free[:1])}, []core{second.with(second.free[:1])}
	h.doubts = []string{"server and client have cores of different kinds: one side is slower by its core"}
	return h
}

// split gives both sides the same number of cores. Each core has a partner on the other
// side with as many CPUs, and a core without a partner is left out. Where no core has a
// partner, each side gets one CPU of a core.
func split(cores []core) (h halves) {
	if len(cores) < 2 {
		return h
	}
	for _, same := range byCPUs(cores) {
		half := len(same) / 2
		h.server, h.client = append(h.server, same[:half]...), append(h.client, same[half:2*half]...)
	}
	if len(h.server) == 0 {
		h.server, h.client = []core{cores[0].with(cores[0].free[:1])}, []core{cores[1].with(cores[1].free[:1])}
	}
	return h
}

// limit takes CPUs from both sides until a quota suffices for them, but leaves one to
// each.
func (h *halves) limit(quota float64) {
	if n := len(cpusOf(h.server)); quota > 0 && quota < float64(2*n) {
		each := max(int(quota/2), 1)
		h.limited = each < n
		h.server, h.client = firstOf(h.server, each), firstOf(h.client, each)
	}
}

// firstOf returns cores with n CPUs together.
func firstOf(cores []core, n int) (list []core) {
	for _, c := range cores {
		if n <= 0 {
			break
		}
		list = append(list, c.with(c.free[:min(len(c.free), n)]))
		n -= len(c.free)
	}
	return list
}
