package rig

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// order tells a server process what to serve besides the name of the variant.
type order struct {
	Work    string // what workloads.arg returned; "" for no work
	Workers int    // of the pool; 0 for the adapter's number
	// Certs are for a variant with TLS; nil for others.
	Certs *framework.Certificates `json:",omitempty"`
}

// orderFor returns the text of the order for a server of a variant, and "" if nothing is
// to be said.
func (s *Settings) orderFor(v framework.Variant, workload string) string {
	return s.orderWith(s.certs, v, workload)
}

// Order returns the order for a server of a variant that is started without this rig.
func (r *Rig) Order(v framework.Variant) string { return r.orderFor(v, "") }

// orderWith is orderFor with the certificates of another process.
func (s *Settings) orderWith(c *framework.Certificates, v framework.Variant, workload string) string {
	o := order{Work: s.workloads.arg(workload), Certs: certsFor(v, c)}
	if v.ServePool != nil {
		o.Workers = s.poolWorkers
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

// mostPoolWorkers is more goroutines than any server needs. Some frameworks start all
// workers at once.
const mostPoolWorkers = 1_000_000

func (s *Settings) checkPool() error {
	if s.poolWorkers < 0 || s.poolWorkers > mostPoolWorkers {
		return fmt.Errorf("-pool-workers=%d: must be from 0 to %d", s.poolWorkers, mostPoolWorkers)
	}
	return nil
}

// checkPooled returns an error if -pool-workers would change nothing.
func (s *Settings) checkPooled(p *plan.Plan) error {
	pooled := func(c plan.Case) bool { return c.ServePool != nil && c.Given == "" }
	if s.poolWorkers == 0 || slices.ContainsFunc(p.Selected(), pooled) {
		return nil
	}
	return fmt.Errorf("-pool-workers=%d: no server that the selected cases start has pool=workers", s.poolWorkers)
}
