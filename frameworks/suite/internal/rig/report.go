package rig

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"strconv"

	"github.com/rpcbench/rpcbench/loadgen/loadbench"
)

// Header prints the units, and the configuration that all lines share.
func (r *Rig) Header(w io.Writer, absent []string) {
	io.WriteString(w, loadbench.Units)
	printConfig(w, r.config())
	for _, why := range absent {
		fmt.Fprintf(w, "# skipped: %s\n", why)
	}
	r.prints = true
}

// config returns the configuration that all lines share.
func (r *Rig) config() map[string]string {
	config := r.Ledger.known()
	maps.Copy(config, r.setups)
	config["go"], config["goexperiment"] = goVersion(runtime.Version())
	config["pin"] = r.pinning.String()
	config["rate-workers"], config["rate-arrivals"] = strconv.Itoa(r.options.Workers), r.options.Arrivals
	config["client-procs"] = strconv.Itoa(clientProcs())
	config["clients"] = strconv.Itoa(r.clients)
	if !r.options.Given() {
		config["server-procs"] = strconv.Itoa(r.serverProcs())
	}
	if r.machine != nil {
		config["server-machine"] = r.machine.About().System
		if differ := r.differences(); differ != "" {
			config["versions-differ"] = differ
		}
	}
	return config
}

// differences lists the versions that differ between the two machines; "" if none do.
func (r *Rig) differences() string {
	about := r.machine.About()
	return differences(r.Ledger.known(), about.Versions, about.GoVersion)
}
