package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// otherFiles is room for what a process opens besides connections.
const otherFiles = 100

// refused returns why a case cannot run with these options; nil if it can.
func (c Case) refused(o *Options) error {
	if c.Benchmark.Runs != nil {
		if err := c.Benchmark.Runs(o); err != nil {
			return err
		}
	}
	if c.Workers < o.Clients {
		return fmt.Errorf("%d callers cannot be divided among %s", c.Workers, o.Together())
	}
	if o.Ranks > 1 && c.Network.Program != "" {
		return fmt.Errorf("%s: the proxy of net=%s is on the machine of rank 0, and the others cannot reach it", o.Together(), c.Network.Name)
	}
	if slowest := c.Alone(); c.Within > 0 && slowest >= c.Within {
		return fmt.Errorf("over net=%s a call takes %v when there is no other, which meets no objective of %v: raise -slo", c.Network.Name, slowest.Round(100*time.Microsecond), c.Within)
	}
	if queue, payload := c.Line.Queue, max(c.Size, c.Largest); queue > 0 && payload > queue {
		return fmt.Errorf("a payload of %s is more than the %s that the queue of net=%s holds, which would drop what the line was not asked to lose: leave queue- out, or make it larger", FormatSize(payload), FormatSize(queue), c.Network.Name)
	}
	files := c.Opens()*c.Servers + otherFiles
	if o.Files > 0 && files > o.Files {
		return fmt.Errorf("it opens %d connections, which with others takes %d files, and a process may open %d: raise the limit (ulimit -n) or lower %s", c.Opens(), files, o.Files, c.workersFlag())
	}
	return nil
}

// workersFlag is the flag that the number of workers comes from.
func (c Case) workersFlag() string {
	switch {
	case c.Streams > 0:
		return "-streams"
	case c.Spec.Rate > 0 || c.Search > 0:
		return "-workers"
	}
	return "-conc"
}

// CheckCalls returns an error if -payload or -call-timeout would change nothing.
func (p *Plan) CheckCalls() error {
	switch o := p.options; {
	case len(p.selected) == 0:
		return nil
	case o.Compressible && !p.anySelected(func(c Case) bool { return c.Compressible }):
		return fmt.Errorf("-payload=compressible: the requests of %s do not have that payload", p.benchmarks())
	case o.CallTimeout > 0 && !p.anySelected(func(c Case) bool { return c.Timeout > 0 }):
		return fmt.Errorf("-call-timeout=%v: the selected calls of %s do not end at a deadline", o.CallTimeout, p.benchmarks())
	}
	return nil
}

// anySelected reports whether one of the selected cases is of this kind.
func (p *Plan) anySelected(is func(Case) bool) bool { return slices.ContainsFunc(p.selected, is) }

// benchmarks names those of which cases are selected.
func (p *Plan) benchmarks() string {
	var names []string
	for _, c := range p.selected {
		if !slices.Contains(names, c.Benchmark.Name) {
			names = append(names, c.Benchmark.Name)
		}
	}
	return strings.Join(names, " and ")
}

// CheckWindows returns an error if -window would change nothing.
func (p *Plan) CheckWindows() error {
	measured := slices.ContainsFunc(p.selected, func(c Case) bool { return c.Benchmark.Windowed })
	if len(p.options.Windows.Values) == 0 || len(p.selected) == 0 || measured {
		return nil
	}
	return fmt.Errorf("-window=%s: windows are measured by %s, of which no case is selected", &p.options.Windows, strings.Join(p.windowed(), " and "))
}

// windowed lists the benchmarks that measure windows.
func (p *Plan) windowed() (names []string) {
	for _, b := range p.known {
		if b.Windowed {
			names = append(names, b.Name)
		}
	}
	return names
}

// CheckCertificates returns an error if those of -certs lack what a target needs: servers
// that run already have theirs.
func (p *Plan) CheckCertificates(c *layer.Certificates) error {
	for _, t := range p.Targets {
		s, flag := t.Stack(), "-with="+t.With
		if t.Secured != nil {
			flag = t.ID()
		}
		if t.Given != "" {
			flag = "-server=" + t.ID() + "@" + t.Given
		}
		switch {
		case s.Has(layer.MTLS) && len(c.ClientCert) == 0:
			return fmt.Errorf("%s: -certs has no client.pem, which mtls needs", flag)
		case stack.HasTLS(t.Variant) && t.Given == "" && len(c.ServerCert) == 0:
			return fmt.Errorf("%s: -certs has no server.pem", flag)
		}
	}
	return nil
}
