package rig

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// serverSettings say what the servers that this process starts have in common.
type serverSettings struct {
	PoolWorkers int // of variants with pool=workers; 0 for the adapters' numbers
	Work        *workloads
}

// mostPoolWorkers is more goroutines than any server needs. Some frameworks start all
// workers at once.
const mostPoolWorkers = 1_000_000

// Register registers the flag.
func (s *serverSettings) Register(fs *flag.FlagSet) {
	fs.IntVar(&s.PoolWorkers, "pool-workers", 0, "`workers` of the servers of variants with pool=workers; 0 for the number of each framework's set-up")
}

// Check returns an error if the flag has a wrong value.
func (s *serverSettings) Check() error {
	if s.PoolWorkers < 0 || s.PoolWorkers > mostPoolWorkers {
		return fmt.Errorf("-pool-workers=%d: must be from 0 to %d", s.PoolWorkers, mostPoolWorkers)
	}
	return nil
}

// CheckPlan returns an error if -pool-workers would change nothing.
func (s *serverSettings) CheckPlan(p *plan.Plan) error {
	pooled := func(c plan.Case) bool { return c.ServePool != nil && c.Given == "" }
	if s.PoolWorkers == 0 || slices.ContainsFunc(p.Selected(), pooled) {
		return nil
	}
	return fmt.Errorf("-pool-workers=%d: no server that the selected cases start has pool=workers", s.PoolWorkers)
}

// order tells a server process what to serve besides the name of the variant.
type order struct {
	Work    string // what workloads.arg returned; "" for no work
	Workers int    // of the pool; 0 for the adapter's number
	// Certs are for a variant with TLS; nil for others.
	Certs *framework.Certificates `json:",omitempty"`
}

// Order returns the text of the order for a server of a variant, and "" if nothing is to be
// said. c are the certificates of its clients.
func (s *serverSettings) Order(c *framework.Certificates, v framework.Variant, workload string) string {
	o := order{Work: s.Work.arg(workload), Certs: certsFor(v, c)}
	if v.ServePool != nil {
		o.Workers = s.PoolWorkers
	}
	if o == (order{}) {
		return ""
	}
	text, _ := json.Marshal(o) // of texts and a number it never fails
	return string(text)
}

// certsFor returns the certificates that a server of v needs; nil for none. They include the
// client's, since the process of a server may be a client of its own broker.
func certsFor(v framework.Variant, c *framework.Certificates) *framework.Certificates {
	if v.Stack().TLS() {
		return c
	}
	return nil
}

func readOrder(text string) (o order, err error) {
	if text != "" {
		err = json.Unmarshal([]byte(text), &o)
	}
	return o, err
}

// start starts a server of v at any port.
func (o order) start(v framework.Variant) (framework.Server, error) {
	if o.Workers > 0 {
		return v.ServePool(host.ListenAddr(), o.Workers)
	}
	return v.Serve(host.ListenAddr())
}
