package suite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// Workloads measures a closed loop of callers whose calls have the server's
// handler do some work, for each -workload and -conc. The payload is 64 bytes.
// Each workload has a server process of its own:
//
//	BenchmarkWorkload/framework=/transport=/codec=/workload=/conc=
//
// server-cpu-ns/op is the CPU of that process: that of a database in another
// process is not in it. Reference and Raw variants are left out, as they carry
// no action to ask for work.
func Workloads(b *testing.B) { workload.run(b) }

var workload = &suite{
	name:  "Workload",
	needs: "its server is started with the work",
	leaves: func(f *flags, v target) (list []leaf) {
		if v.Kind != framework.Fields {
			return nil
		}
		for _, w := range f.works.chosen {
			for _, conc := range f.concs {
				l := echoLeaf(conc, workloadSize)
				l.keys = fmt.Sprintf("workload=%s/conc=%d", w.Name, conc)
				l.workload = w.Name
				l.prepare = prepareWork
				list = append(list, l)
			}
		}
		return list
	},
}

const workloadSize = 64 // bytes of the payload

func prepareWork(_ context.Context, c framework.Client, l leaf) (job, error) {
	requests := echoRequests(l.workers, l.size, 1)
	for i := range requests {
		requests[i].Action = framework.ActionWork(l.workload)
	}
	return job{call: c.Echo(requests, checkEnds(requests))}, nil
}

// workServer is a server whose handlers do work.
type workServer struct {
	framework.Server
	work framework.Work
}

// Close closes the work after the server, which may still be busy with it.
func (s workServer) Close() error {
	return errors.Join(s.Server.Close(), s.work.End())
}

// serve starts the server of v, after the workload that arg asks for.
func (c Config) serve(v framework.Variant, arg string) (framework.Server, error) {
	if arg == "" {
		return v.Serve(host.AnyPort())
	}
	name, option, _ := strings.Cut(arg, "=")
	started, err := start(c.Workloads, name, option)
	if err != nil {
		return nil, err
	}
	framework.ServeWork(name, started)
	s, err := v.Serve(host.AnyPort())
	if err != nil {
		return nil, errors.Join(err, started.End())
	}
	return workServer{s, started}, nil
}

func start(all []framework.Workload, name, option string) (framework.Work, error) {
	for _, w := range all {
		if w.Name == name {
			started, err := w.Start(option)
			if err != nil {
				return framework.Work{}, fmt.Errorf("workload %s: %w", name, err)
			}
			return started, nil
		}
	}
	return framework.Work{}, fmt.Errorf("no workload %q", name)
}

// works are the workloads of a process that measures.
type works struct {
	list    string
	options map[string]*string // by the workload's name
	all     []framework.Workload
	chosen  []framework.Workload
	setups  map[string]string // of those that were tried
}

func (w *works) register(fs *flag.FlagSet, all []framework.Workload) {
	w.all, w.options, w.setups = all, map[string]*string{}, map[string]string{}
	if len(all) == 0 {
		return
	}
	usage := "workloads to measure, separated by commas; empty for all:"
	for _, load := range all {
		usage += fmt.Sprintf("\n%s: %s", load.Name, load.About)
		if load.Flag != "" {
			w.options[load.Name] = fs.String(load.Flag, load.Default, load.Usage)
		}
	}
	fs.StringVar(&w.list, "workload", "", usage)
}

// parse chooses those of -workload, in the order of the table.
func (w *works) parse() error {
	names := workloadNames(w.all)
	for i, name := range names {
		if name == "" || strings.ContainsAny(name, "/=, ") || slices.Contains(names[:i], name) {
			return fmt.Errorf("Config.Workloads: the name %q is there twice or cannot be a name", name)
		}
	}
	wanted := names
	if w.list != "" {
		wanted = strings.Split(w.list, ",")
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return fmt.Errorf("-workload: unknown workload %q: there are %s", name, strings.Join(names, ", "))
		}
	}
	w.chosen = slices.DeleteFunc(slices.Clone(w.all), func(load framework.Workload) bool { return !slices.Contains(wanted, load.Name) })
	return nil
}

func workloadNames(list []framework.Workload) (names []string) {
	for _, w := range list {
		names = append(names, w.Name)
	}
	return names
}

// arg is what a server process is told of its workload; "" for none.
func (w *works) arg(name string) string {
	if name == "" {
		return ""
	}
	return name + "=" + w.option(name)
}

func (w *works) option(name string) string {
	if option := w.options[name]; option != nil {
		return *option
	}
	return ""
}

// try starts workloads once in this process, so that one that cannot start is
// one error before anything has run and not one of each variant.
func (w *works) try(names []string) error {
	for _, name := range names {
		started, err := start(w.all, name, w.option(name))
		if err != nil {
			return err
		}
		if started.Setup != "" {
			w.setups["workload-"+name] = started.Setup
		}
		if err := started.End(); err != nil {
			return fmt.Errorf("workload %s: close: %w", name, err)
		}
	}
	return nil
}
