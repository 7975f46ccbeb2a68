package rig

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// token returns the token that both sides must know; "" if none is needed.
func (s *Settings) token() (string, error) {
	if s.tokenFile == "" {
		return strings.TrimSpace(os.Getenv(host.EnvToken)), nil
	}
	text, err := os.ReadFile(s.tokenFile)
	if err != nil {
		return "", fmt.Errorf("-token-file: %w", err)
	}
	token := string(bytes.TrimSpace(text))
	if token == "" {
		return "", fmt.Errorf("-token-file=%s: there is no token in it", s.tokenFile)
	}
	return token, nil
}

// ServeRemote starts servers for clients on other machines until the process is
// ended.
func (r *Rig) ServeRemote(all []plan.Target) error {
	token, err := r.token()
	if err != nil {
		return err
	}
	l, err := remote.Listen(r.listen, token)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	ended, cancel := signal.NotifyContext(context.Background(), host.EndSignals()...)
	defer cancel()
	fmt.Printf("rpcbench: serving %d variants on %s\n", len(all), l.Addr())
	for _, doubt := range r.pinning.Doubts {
		fmt.Printf("# warning: -pin=%s: %s\n", r.pin, doubt)
	}
	return remote.Serve(ended, l, remote.Config{
		Token: token, About: r.about(),
		Tell:    func(text string) { fmt.Fprintln(os.Stderr, "rpcbench: "+foreign.Line(text)) },
		Prepare: func(q remote.Request) (host.Config, error) { return r.startFor(all, q) },
	})
}

// about describes this machine and what it serves.
func (r *Rig) about() remote.About {
	return remote.About{Versions: r.Ledger.known(), Settings: together(r.runtime, r.here), GoVersion: runtime.Version(), System: r.system(), Procs: r.serverProcs()}
}

// system describes this machine in a few words.
func (s *Settings) system() string {
	system := fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, len(s.Available))
	if model := legend.CPU(); model != "" {
		system += ", " + model
	}
	return system
}

// startFor returns the configuration of the server that a request asks for. It must
// be in the table; workloads and pools have the options of this process.
func (r *Rig) startFor(all []plan.Target, q remote.Request) (host.Config, error) {
	var table []framework.Variant
	for _, t := range all {
		table = append(table, t.Variant)
	}
	c := new(framework.Certificates)
	if err := json.Unmarshal(q.Certs, c); len(q.Certs) > 0 && err != nil {
		return host.Config{}, fmt.Errorf("the certificates: %w", err)
	}
	v, err := plan.Find(table, q.Serve, c)
	if err != nil {
		return host.Config{}, fmt.Errorf("%s cannot be served here: %w", q.Serve, err)
	}
	if q.Workload != "" && !slices.Contains(r.workloads.names(), q.Workload) {
		return host.Config{}, fmt.Errorf("no workload %q is served here", q.Workload)
	}
	return host.Config{Serve: q.Serve, Arg: r.orderWith(c, v, q.Workload), CPUs: r.pinning.Server, Procs: r.serverProcs()}, nil
}
