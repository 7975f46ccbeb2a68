package rig

import "github.com/rpcbench/rpcbench/frameworks/suite/internal/commandline"

// Subjects are the flags by subject, as help lists them.
func (f *Flags) Subjects() []commandline.Subject {
	return []commandline.Subject{
		{Title: "Which cases, beside -bench", Flags: []string{"set", "framework", "references", "size", "conc", "net", "cores", "msg", "window", "with", "metadata", "chain", "variants", "cases"}},
		{Title: "Cases of one benchmark", Flags: append([]string{
			"rate", "streams", "messages", "slo", "load", "probe", "conn", "call", "servers", "cluster-rate", "slow", "policy", "idle", "active", "down", "mix", "mix-rate", "bulk", "transfers", "chunk",
		}, f.Settings.Servers.Work.Flags()...)},
		{Title: "Load", Flags: []string{"conns", "clients", "workers", "arrivals", "wait", "payload", "call-timeout", "retry", "watchdog"}},
		{Title: "Servers and machines", Flags: []string{"server", "peer", "certs", "pin", "pool-workers", "serve", "listen", "ports", "host", "token-file", "new-secret", "pprof"}},
		{Title: "Ranks, which make the calls of a run together", Flags: []string{"rank", "ranks", "run-name", "gather", "stay"}},
		{Title: "Output", Flags: []string{"detail", "results", "anatomy", "strict"}},
		{Title: "Faults", Flags: []string{"fault", "storms"}},
		{Title: "Profiles, over the calls of the one case that -bench selects", Flags: []string{
			"server-cpuprofile", "server-memprofile", "server-blockprofile", "server-mutexprofile", "server-trace", "client-cpuprofile",
		}},
	}
}
