package rig

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Header prints the units, and the configuration that all lines share. absent is what there is
// no line of, and why; unmarked are messages whose replies are not all told apart.
// The error says that not all of it could be written.
func (r *Rig) Header(w io.Writer, absent, unmarked []string) error {
	text := bytes.NewBufferString(loadbench.UnitLines())
	legend.Print(text, "", r.config())
	legend.Print(text, "# ", r.remarks())
	if r.Without != "" {
		fmt.Fprintf(text, "# %s\n", foreign.Line(r.Without))
	}
	for _, size := range r.Options.Sizes.Values {
		if size.Varies() {
			fmt.Fprintf(text, "# %s\n", size.About())
		}
	}
	for _, about := range r.Networks.Found {
		fmt.Fprintf(text, "# %s\n", about)
	}
	for _, why := range absent {
		fmt.Fprintf(text, "# skipped: %s\n", foreign.Line(why))
	}
	for _, name := range unmarked {
		fmt.Fprintf(text, "# samples: msg=%s: no field has the number of a call, so that the reply to another call with the same contents counts as correct\n", name)
	}
	r.prints = true
	_, err := text.WriteTo(w)
	return err
}

// config returns the configuration that all lines share.
func (r *Rig) config() map[string]string {
	config := r.Ledger.Known()
	maps.Copy(config, r.facts.all())
	maps.Copy(config, r.setups)
	config["go"], config["goexperiment"] = legend.GoVersion(runtime.Version())
	config["pin"] = r.Placement.Pinning.String()
	config["rate-workers"], config["rate-arrivals"] = strconv.Itoa(r.Options.Workers), filepath.Base(r.Options.Arrivals)
	if r.Options.Quiet() { // older texts, which do not say it, are of clients that stay awake
		config["rate-wait"] = r.Options.Waiting
	}
	if r.Servers.PoolWorkers > 0 {
		config["pool-workers"] = strconv.Itoa(r.Servers.PoolWorkers)
	}
	if r.Load.CallTimeout > 0 {
		config["call-timeout"] = r.Load.CallTimeout.String()
	}
	if r.certificates.dir != "" || slices.ContainsFunc(r.Options.Layers.Values, layer.Stack.TLS) {
		config["certificates"] = r.certificates.about()
	}
	if r.Load.Retry.On() {
		config["retry"] = r.Load.Retries
	}
	config["client-procs"] = strconv.Itoa(r.sides(plan.Cores{}).ClientProcs)
	config["clients"] = strconv.Itoa(r.Agents.Clients)
	if r.Ranks.Total.Machines != "" {
		config["client-machines"] = r.Ranks.Total.Machines
	}
	if !r.Options.Given() {
		config["server-procs"] = r.allServerProcs()
	}
	if r.frameworks > 1 { // each collection marks the tables of all of them
		config["frameworks"] = strconv.Itoa(r.frameworks) + " in one binary"
	}
	r.addMachines(config)
	return inLines(config)
}

// addMachines adds what the machines of the servers are, and in what they differ from this one.
func (r *Rig) addMachines(config map[string]string) {
	var systems, procs, differences []string
	for _, one := range r.Machines.far {
		name := ""
		if len(r.Machines.far) > 1 {
			name = one.Addr() + ": "
		}
		systems, procs = append(systems, name+one.About().System), append(procs, name+strconv.Itoa(one.About().Procs))
		if differ := r.differences(one); differ != "" {
			differences = append(differences, name+differ)
		}
	}
	if len(systems) > 0 {
		config["server-machine"], config["server-procs"] = strings.Join(systems, "; "), strings.Join(procs, "; ")
	}
	if len(differences) > 0 {
		config["machines-differ"] = strings.Join(differences, "; ")
	}
}

// allServerProcs lists the procs of servers by their cores, the fewest first.
func (r *Rig) allServerProcs() string {
	var list []string
	for _, g := range r.Placement.Pinning.Grades {
		list = append(list, strconv.Itoa(len(g.CPUs)))
	}
	return cmp.Or(strings.Join(list, ", "), strconv.Itoa(r.serverProcs(plan.Cores{})))
}

// inLines returns what other machines and modules say of themselves as it is printed.
func inLines(config map[string]string) map[string]string {
	lines := map[string]string{}
	for key, value := range config {
		lines[foreign.Line(key)] = foreign.Line(value)
	}
	return lines
}

// remarks returns what describes the run and does not set it: comments to benchstat,
// which compares no lines of different configurations.
func (r *Rig) remarks() map[string]string {
	remarks := map[string]string{}
	maps.Copy(remarks, r.reports)
	if r.Placement.Pinning.Cores != "" {
		remarks["pin-cores"] = r.Placement.Pinning.Cores
	}
	return inLines(remarks)
}

// differences lists the versions and settings in which a machine differs from this one; ""
// if there are none.
func (r *Rig) differences(at *remote.Machine) string {
	return r.differing(at, r.facts.all(), at.About().Settings)
}

// otherBuild lists the versions in which a machine differs from this one; "" if there are none.
func (r *Rig) otherBuild(at *remote.Machine) string { return r.differing(at, nil, nil) }

// differing lists the versions that differ, and what differs of here and there.
func (r *Rig) differing(at *remote.Machine, here, there map[string]string) string {
	about := at.About()
	if r.Machines.has[at] { // its servers are of this build
		return strings.Join(settings.Differences(here, there), ", ")
	}
	return strings.Join(settings.Differences(
		together(map[string]string{"go": runtime.Version()}, r.Ledger.Known(), here),
		together(map[string]string{"go": about.GoVersion}, about.Versions, there)), ", ")
}

// together has the values of all maps, of one key that of the last.
func together(all ...map[string]string) map[string]string {
	whole := map[string]string{}
	for _, m := range all {
		maps.Copy(whole, m)
	}
	return whole
}

// facts are what this process finds out of itself, by the keys of the output.
type facts struct {
	runtime map[string]string // settings of the Go runtime and of the build
	here    map[string]string // what the system tells of this machine
}

func (f facts) all() map[string]string { return together(f.runtime, f.here) }

// checkLayers warns of what layers do that was perhaps not meant, in cases whose requests
// take the payload.
func (r *Rig) checkLayers(p *plan.Plan) {
	compressed := func(c plan.Case) bool { return c.Stack().Compression() != "" && c.Size > 0 && !c.OwnData }
	if !r.Load.Compressible() && slices.ContainsFunc(p.Selected(), compressed) {
		r.Ledger.Warn("-with", "payloads are random bytes, which no compression makes smaller: add -payload=compressible")
	}
}

// counts reports whether lines have the costs of a call. With layers they show that what was
// to be compressed is, and that what was to be traced is.
func (s *Settings) counts() bool { return s.Output.Detail || s.layered }
