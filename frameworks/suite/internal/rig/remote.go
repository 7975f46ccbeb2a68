package rig

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"slices"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// secret returns what the clients of a serving side have to know.
func (s *Settings) secret() (secret remote.Secret, err error) {
	from := "-token-file"
	switch {
	case s.tokenFile == "":
		from = host.EnvToken
		secret, err = remote.ParseSecret(os.Getenv(from))
	case s.Serve:
		secret, err = remote.MakeSecret(s.tokenFile)
	default:
		secret, err = remote.ReadSecret(s.tokenFile)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return secret, err
}

// ServeRemote starts servers for clients on other machines until the process is
// ended.
func (r *Rig) ServeRemote(all []plan.Target) error {
	secret, err := r.secret()
	if err != nil {
		return err
	}
	l, err := remote.Listen(r.listen, secret.Token)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	identity, err := remote.NewIdentity()
	if err != nil {
		return err
	}
	secret.Fingerprint = identity.Fingerprint
	if err := r.writeSecret(secret); err != nil {
		return err
	}
	ended, cancel := signal.NotifyContext(context.Background(), host.EndSignals()...)
	defer cancel()
	r.tellServing(len(all), l.Addr(), secret.Fingerprint)
	return remote.Serve(ended, l, remote.Config{
		Token: secret.Token, Identity: identity, About: r.about(),
		Tell:    tellServer,
		Prepare: func(q remote.Request) (host.Config, error) { return r.startFor(all, q) },
	})
}

func tellServer(text string) { fmt.Fprintln(os.Stderr, "rpcbench: "+foreign.Line(text)) }

// writeSecret writes the fingerprint into the file of the token. A file that cannot be
// written will do if it has the token.
func (s *Settings) writeSecret(secret remote.Secret) error {
	if s.tokenFile == "" {
		return nil
	}
	err := secret.Write(s.tokenFile)
	if err == nil {
		return nil
	}
	if _, missing := os.Stat(s.tokenFile); missing != nil {
		return fmt.Errorf("-token-file: nobody would know the token that was made: %w", err)
	}
	tellServer(fmt.Sprintf("-token-file=%s: clients need the fingerprint that is printed here behind their token, since it cannot be written into the file: %v", s.tokenFile, err))
	return nil
}

// tellServing says what clients need to know. The line of the fingerprint has nothing else
// in it, so that it can be copied by a program.
func (r *Rig) tellServing(variants int, addr net.Addr, fingerprint string) {
	fmt.Printf("rpcbench: serving %d variants on %s\n%s\n", variants, addr, fingerprint)
	if r.Without != "" {
		fmt.Printf("# %s\n", foreign.Line(r.Without))
	}
	for _, doubt := range r.pinning.Doubts {
		fmt.Printf("# warning: -pin=%s: %s\n", r.pin, doubt)
	}
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
