package cpus

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Grade is where a server with some number of whole cores runs.
type Grade struct {
	Cores  int
	CPUs   Set
	Shared bool // the client runs on some of them as well
}

// grading divides cores among servers of several numbers of cores, which run one after the
// other, one client, and the line of a network.
type grading struct {
	servers []core // in the order in which servers take them
	others  []core // the rest of their kind, which a mask splits
	beside  int    // cores that the client, and the line, take at least
	fits    int    // the most cores of a server beside them; 0 for none
}

// Graded pins servers of several numbers of whole cores, one at least, and one client, whose
// CPUs are the same beside all of them: the cores that are left beside the largest server that
// leaves any. Larger servers share cores with it, and if all do, it has all cores. The line of
// a network, if there is one, has a core of its own.
//
// All cores are of one kind, and as far as they suffice of one node. A server has the CPUs of
// each smaller one. The error says that a server cannot have as many cores as asked for.
func Graded(numbers []int, line bool, available Set, t Topology) (Pinning, error) {
	return graded(numbers, line, available, t, runtime.GOOS)
}

func graded(numbers []int, line bool, available Set, t Topology, goos string) (Pinning, error) {
	if goos != "linux" {
		return Pinning{}, fmt.Errorf("pinning is not supported on %s", goos)
	}
	g := t.grade(numbers, line)
	most := slices.Max(numbers)
	if most > len(g.servers) {
		return Pinning{}, fmt.Errorf("a server cannot have %s: this process may use %s of one kind", plural(most, "core"), plural(len(g.servers), "core"))
	}
	p := g.pinning(numbers, line, available)
	p.Cores = t.describeGrades(g, p, line)
	p.Doubts = append(t.doubtQuota(len(p.Server.Union(p.Client))), t.doubtGrades(g)...)
	return p, nil
}

// grade chooses the cores. A kind of one core is taken if there is no other.
func (t Topology) grade(numbers []int, line bool) grading {
	all := kinds(t.cores)
	kind := all[0]
	if i := slices.IndexFunc(all, func(k []core) bool { return len(k) > 1 }); i >= 0 {
		kind = all[i]
	}
	groups := byCPUs(kind)
	g := grading{servers: inNodes(groups[0]), others: slices.Concat(groups[1:]...), beside: 1}
	if line {
		g.beside = 2
	}
	for _, n := range numbers {
		if n+g.beside <= len(kind) && n <= len(g.servers) {
			g.fits = max(g.fits, n)
		}
	}
	return g
}

// inNodes sorts cores by their nodes, that with the most first.
func inNodes(cores []core) []core {
	nodes := byNode(cores)
	slices.SortStableFunc(nodes, func(a, b []core) int { return cmp.Compare(len(b), len(a)) })
	return slices.Concat(nodes...)
}

// left are the cores beside the largest server that leaves any: those of its nodes, if they
// suffice, else all.
func (g grading) left() []core {
	all := slices.Concat(g.servers[g.fits:], g.others)
	end := min(g.fits+g.beside, len(g.servers))
	near := slices.Concat(inside(g.servers[g.fits:], g.servers[:end]), inside(g.others, g.servers[:end]))
	if len(near) >= g.beside {
		return near
	}
	return all
}

func (g grading) pinning(numbers []int, line bool, available Set) (p Pinning) {
	for _, n := range slices.Compact(slices.Sorted(slices.Values(numbers))) {
		p.Grades = append(p.Grades, Grade{n, cpusOf(g.servers[:n]), n > g.fits})
	}
	p.Server, p.Line = p.Grades[len(p.Grades)-1].CPUs, available
	left := g.left()
	switch {
	case g.fits == 0:
		left = slices.Concat(g.servers, g.others)
	case line:
		last := len(left) - 1
		p.Line, left = cpusOf(left[last:]), left[:last]
	}
	p.Client = cpusOf(left)
	return p
}

// Grade returns where a server of a number of cores runs. It must have been asked for.
func (p Pinning) Grade(cores int) Grade {
	return p.Grades[slices.IndexFunc(p.Grades, func(g Grade) bool { return g.Cores == cores })]
}

// describeGrades says who has which CPUs, and how many cores it takes where they are too few.
func (t Topology) describeGrades(g grading, p Pinning, line bool) string {
	var servers, short []string
	for _, one := range p.Grades {
		servers = append(servers, fmt.Sprintf("%d on %s", one.Cores, one.CPUs))
		if one.Shared {
			short = append(short, fmt.Sprintf("cores=%d takes %d", one.Cores, one.Cores+g.beside))
		}
	}
	text := fmt.Sprintf("servers by cores=: %s; client on %s", strings.Join(servers, ", "), p.Client)
	if line && g.fits > 0 {
		text += fmt.Sprintf("; line on %s", p.Line)
	}
	if nodes := nodesOf(g.servers[:p.Grades[len(p.Grades)-1].Cores]); len(nodes) > 1 {
		text += fmt.Sprintf("; servers are on nodes %s", nodes)
	}
	if len(short) > 0 {
		beside := "a core for the client"
		if line {
			beside = "a core each for client and line"
		}
		text += fmt.Sprintf("; with %s %s cores of one kind, and there are %d: its client shares them", beside, strings.Join(short, ", "), len(g.servers)+len(g.others))
	}
	if !t.told {
		text += "; a CPU is taken for a core: the machine does not tell its cores"
	}
	return text
}

// doubtGrades says that a mask leaves servers a part of each core.
func (t Topology) doubtGrades(g grading) []string {
	threads := 0
	for _, c := range g.servers {
		threads += len(c.threads)
	}
	if free := len(cpusOf(g.servers)); free < threads {
		return []string{fmt.Sprintf("cores of servers are not whole: this process may use %d of their %d CPUs", free, threads)}
	}
	return nil
}
