package server

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/work"
)

// Settings say what the servers that this process starts have in common.
type Settings struct {
	PoolWorkers int // of variants with pool=workers; 0 for the adapters' numbers
	Work        *work.Workloads
}

// mostPoolWorkers is more goroutines than any server needs. Some frameworks start all
// workers at once.
const mostPoolWorkers = 1_000_000

// Register registers the flag.
func (s *Settings) Register(fs *flag.FlagSet) {
	fs.IntVar(&s.PoolWorkers, "pool-workers", 0, "`workers` of the servers of variants with pool=workers; 0 for the number of each framework's set-up")
}

// Check returns an error if the flag has a wrong value.
func (s *Settings) Check() error {
	if s.PoolWorkers < 0 || s.PoolWorkers > mostPoolWorkers {
		return fmt.Errorf("-pool-workers=%d: must be from 0 to %d", s.PoolWorkers, mostPoolWorkers)
	}
	return nil
}

// CheckPlan returns an error if -pool-workers would change nothing.
func (s *Settings) CheckPlan(p *plan.Plan) error {
	pooled := func(c plan.Case) bool { return c.ServePool != nil && c.Given == "" }
	if s.PoolWorkers == 0 || slices.ContainsFunc(p.Selected(), pooled) {
		return nil
	}
	return fmt.Errorf("-pool-workers=%d: no server that the selected cases start has pool=workers", s.PoolWorkers)
}

// Order tells a server process what to serve besides the name of the variant.
type Order struct {
	Work    string // what workloads.arg returned; "" for no work
	Workers int    // of the pool; 0 for the adapter's number
	Message string `json:",omitempty"` // that Message sends; "" for the bench message
	// Certs are for a variant with TLS; nil for others.
	Certs *layer.Certificates `json:",omitempty"`
}

// Order returns the text of the order for a server of a variant, and "" if nothing is to be
// said. c are the certificates of its clients. The work of a slow server takes this many
// times as long as that of others.
func (s *Settings) Order(c *layer.Certificates, v framework.Variant, workload string, times float64) string {
	o := Order{Work: s.Work.Arg(workload), Certs: CertsFor(v, c)}
	if times != 1 {
		o.Work, _ = s.Work.SlowArg(workload, times) // a case has it only of a workload that can
	}
	if v.ServePool != nil {
		o.Workers = s.PoolWorkers
	}
	if v.Sent != nil {
		o.Message = v.Sent.Name
	}
	return o.text()
}

// Placed completes the order that a client has made for a server of its own build. This process has
// the options of the work.
func (s *Settings) Placed(order, workload string) (string, error) {
	o, err := ReadOrder(order)
	if err != nil {
		return "", err
	}
	if o.Work = ""; workload != "" {
		if !slices.Contains(s.Work.Names(), workload) {
			return "", fmt.Errorf("no workload %q is served here", workload)
		}
		o.Work = s.Work.Arg(workload)
	}
	return o.text(), nil
}

func (o Order) text() string {
	if o == (Order{}) {
		return ""
	}
	text, _ := json.Marshal(o) // of texts and a number it never fails
	return string(text)
}

// CertsFor returns the certificates that a server of v needs; nil for none. They include the
// client's, since the process of a server may be a client of its own broker.
func CertsFor(v framework.Variant, c *layer.Certificates) *layer.Certificates {
	if stack.HasTLS(v) {
		return c
	}
	return nil
}

// ReadOrder reads the text of an order; "" is one that says nothing.
func ReadOrder(text string) (o Order, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &o)
	}
	return o, err
}

// start starts a server of v at any port.
func (o Order) start(v framework.Variant) (framework.Server, error) {
	if o.Workers > 0 {
		return v.ServePool(host.ListenAddr(), o.Workers)
	}
	return v.Serve(host.ListenAddr())
}
