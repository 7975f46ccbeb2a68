package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
	"github.com/rpcbench/rpcbench/frameworks/suite/host/remote"
)

// remotes are the flags of a run with the servers on another machine.
type remotes struct {
	serve     bool
	listen    string
	host      string
	tokenFile string
}

// defaultListen is that of -listen: this machine alone comes to it.
const defaultListen = "127.0.0.1:0"

// checkRemote refuses what does not go with -serve or -host.
func (f *flags) checkRemote() error {
	r := f.remotes
	switch {
	case r.serve && r.host != "":
		return errors.New("-serve and -host are the two sides: give one")
	case r.serve && len(f.given) > 0, r.host != "" && len(f.given) > 0:
		return errors.New("-server is a server that is running already, and needs neither -serve nor -host")
	case !r.serve && r.listen != defaultListen:
		return fmt.Errorf("-listen=%s is for -serve: give both", r.listen)
	case !r.serve && r.host == "" && r.tokenFile != "":
		return fmt.Errorf("-token-file=%s is for -serve or -host: give one", r.tokenFile)
	case r.host == "":
		return nil
	case f.pin != "auto" && f.pin != "off":
		return fmt.Errorf("-pin=%s: with -host the servers are pinned by -serve -pin, and the client by taskset", f.pin)
	case slices.ContainsFunc(f.networks, network.linked):
		return errors.New("-net: with -host there is a network between client and server: leave one out")
	case f.pprof:
		return errors.New("-pprof: with -host take -server-cpuprofile and the like, which come from the other machine")
	}
	return f.works.checkRemote()
}

// checkRemote refuses options of workloads that would not arrive.
func (w *works) checkRemote() error {
	for _, load := range w.all {
		if load.Flag != "" && w.option(load.Name) != load.Default {
			return fmt.Errorf("-%s: with -host it is an option of -serve", load.Flag)
		}
	}
	return nil
}

// token is what both sides must know; "" for none.
func (r remotes) token() (string, error) {
	if r.tokenFile == "" {
		return os.Getenv(host.EnvToken), nil
	}
	text, err := os.ReadFile(r.tokenFile)
	if err != nil {
		return "", fmt.Errorf("-token-file: %w", err)
	}
	token := string(bytes.TrimSpace(text))
	if token == "" {
		return "", fmt.Errorf("-token-file=%s: there is no token in it", r.tokenFile)
	}
	return token, nil
}

// serveRemote is the whole life of a process that starts servers for others.
func (e *environment) serveRemote() error {
	token, err := e.token()
	if err != nil {
		return err
	}
	l, err := remote.Listen(e.listen, token)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	ended, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	fmt.Printf("rpcbench: serving %d variants on %s\n", len(e.variants), l.Addr())
	return remote.Serve(ended, l, remote.Config{Token: token, About: e.about(), Prepare: e.startFor})
}

// about describes this machine and what it serves.
func (e *environment) about() remote.About {
	system := fmt.Sprintf("%s/%s, %d CPUs", runtime.GOOS, runtime.GOARCH, len(e.available))
	if model := cpuModel(); model != "" {
		system += ", " + model
	}
	return remote.About{Versions: e.versions, GoVersion: runtime.Version(), System: system, Procs: e.serverProcs()}
}

// cpuModel is the name of the CPU; "" where it is not known.
func cpuModel() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // on Linux
	_, rest, _ := strings.Cut(string(text), "\nmodel name")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, " \t:")
}

// startFor starts what is in the table, with workloads as they are set up here.
func (e *environment) startFor(q remote.Request) (host.Config, error) {
	if !slices.ContainsFunc(e.variants, func(v target) bool { return v.ID() == q.Serve }) {
		return host.Config{}, fmt.Errorf("no variant %q is served here", q.Serve)
	}
	if q.Workload != "" && !slices.Contains(workloadNames(e.works.all), q.Workload) {
		return host.Config{}, fmt.Errorf("no workload %q is served here", q.Workload)
	}
	return host.Config{Serve: q.Serve, Arg: e.works.arg(q.Workload), CPUs: e.pinning.Server, Procs: e.serverProcs()}, nil
}

// dialMachine finds the machine of -host.
func (e *environment) dialMachine() error {
	if e.host == "" {
		return nil
	}
	token, err := e.token()
	if err != nil {
		return err
	}
	if e.machine, err = remote.Dial(context.Background(), e.host, token); err != nil {
		return fmt.Errorf("-host: %w", err)
	}
	if differ := e.differences(); differ != "" {
		e.note(e.warned, "-host="+e.host, "the two machines do not run the same: "+differ)
	}
	return nil
}

// startRemote is startServer on the machine of -host.
func startRemote(ctx context.Context, v framework.Variant, workload string) (server, error) {
	h, err := env.machine.Start(ctx, remote.Request{Serve: v.ID(), Workload: workload})
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	return h, nil
}

// differences lists the versions that are not the same on both machines; ""
// for none.
func (e *environment) differences() string {
	about := e.machine.About()
	here, there := maps.Clone(e.versions), maps.Clone(about.Versions)
	here["go"], there["go"] = runtime.Version(), about.GoVersion
	names := maps.Clone(here)
	maps.Copy(names, there)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if here[name] != there[name] {
			list = append(list, fmt.Sprintf("%s is %s here and %s there", name, cmp.Or(here[name], "not known"), cmp.Or(there[name], "not known")))
		}
	}
	return strings.Join(list, ", ")
}
