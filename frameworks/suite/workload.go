package suite

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rpcbench/rpcbench/frameworks/suite/host"
)

// Workload is something that a server's handler can do for each call.
type Workload struct {
	Name  string // workload=, as in "cache"
	About string // in a line, what is done for a call

	// Flag is the name of the one flag that a workload may have, "" for none.
	// Main registers it, with Default and Usage.
	Flag, Default, Usage string

	// Start makes the work ready, with the value of the flag. It tries what it
	// needs: an option that will not do is an error here, in a sentence without
	// secrets.
	Start func(option string) (Work, error)
}

// Work is a workload that was started.
type Work struct {
	// Do is the work of a call, done by many goroutines at once. A wrong result
	// is an error, and that is the error of the call.
	Do func() error
	// Close gives back what the work holds, perhaps while it is still being
	// done; nil: nothing to give back.
	Close func() error
	// Setup says what the work is done with, as in "sqlite 3.53.4 in memory".
	// It is printed with the results; "" for nothing to say.
	Setup string
}

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
	leaves: func(f *flags, v Variant) (list []leaf) {
		if v.Reference || v.Raw {
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

func prepareWork(_ context.Context, c Client, l leaf) (job, error) {
	requests := echoRequests(l.workers, l.size, 1)
	for i := range requests {
		requests[i].Action = actionWork + l.workload
	}
	return job{call: c.Echo(requests, checkEnds(requests))}, nil
}

// actionWork and the workload's name are the Action of a call that asks the
// server for the work it was started with.
const actionWork = "work/"

// working is the work of this server process, set before its server starts.
var working struct {
	Work
	action string // "" while there is none
}

// work does what action asks for.
func work(action string) error {
	if action != working.action {
		return fmt.Errorf("rpcbench: the action %q is not known, or is work that this server was not started with", action)
	}
	return working.Do()
}

// workServer is a server whose handlers do work.
type workServer struct {
	Server
	work Work
}

// Close closes the work after the server, which may still be busy with it.
func (s workServer) Close() error {
	return errors.Join(s.Server.Close(), s.work.close())
}

// serve starts the server of v, after the workload that arg asks for.
func (c Config) serve(v Variant, arg string) (Server, error) {
	if arg == "" {
		return v.Serve(host.AnyPort())
	}
	name, option, _ := strings.Cut(arg, "=")
	started, err := start(c.Workloads, name, option)
	if err != nil {
		return nil, err
	}
	working.Work, working.action = started, actionWork+name
	s, err := v.Serve(host.AnyPort())
	if err != nil {
		return nil, errors.Join(err, started.close())
	}
	return workServer{s, started}, nil
}

func start(all []Workload, name, option string) (Work, error) {
	for _, w := range all {
		if w.Name == name {
			started, err := w.Start(option)
			if err != nil {
				return Work{}, fmt.Errorf("workload %s: %w", name, err)
			}
			return started, nil
		}
	}
	return Work{}, fmt.Errorf("no workload %q", name)
}

func (w Work) close() error {
	if w.Close == nil {
		return nil
	}
	return w.Close()
}

// works are the workloads of a process that measures.
type works struct {
	list    string
	options map[string]*string // by the workload's name
	all     []Workload
	chosen  []Workload
	setups  map[string]string // of those that were tried
}

func (w *works) register(fs *flag.FlagSet, all []Workload) {
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
	w.chosen = slices.DeleteFunc(slices.Clone(w.all), func(load Workload) bool { return !slices.Contains(wanted, load.Name) })
	return nil
}

func workloadNames(list []Workload) (names []string) {
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
		if err := started.close(); err != nil {
			return fmt.Errorf("workload %s: close: %w", name, err)
		}
	}
	return nil
}
