package rig

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// workloads are the workloads of a process that measures.
type workloads struct {
	all     []framework.Workload
	wanted  plan.List[string]
	options map[string]*string // by the workload's name
}

func newWorkloads(all []framework.Workload) *workloads {
	return &workloads{all: all, options: map[string]*string{}}
}

func (w *workloads) register(fs *flag.FlagSet) {
	if len(w.all) == 0 {
		return
	}
	usage := "`workloads` of Workload; empty for all:"
	for _, load := range w.all {
		usage += fmt.Sprintf("\n%s: %s", load.Name, load.About)
		if load.Flag != "" {
			w.options[load.Name] = fs.String(load.Flag, load.Default, load.Usage)
		}
	}
	w.wanted = plan.NewList("", w.read)
	fs.Var(&w.wanted, "workload", usage)
}

// flags returns the names of all flags.
func (w *workloads) flags() (names []string) {
	if len(w.all) > 0 {
		names = append(names, "workload")
	}
	for _, load := range w.all {
		if load.Flag != "" {
			names = append(names, load.Flag)
		}
	}
	return names
}

// check returns an error if a name cannot be a value of a key.
func (w *workloads) check() error {
	names := w.names()
	for i, name := range names {
		if name == "" || strings.ContainsAny(name, "/=, ") || foreign.Line(name) != name || slices.Contains(names[:i], name) {
			return fmt.Errorf("Config.Workloads: the name %q is there twice or cannot be a name", name)
		}
	}
	return nil
}

// read checks a name given by -workload.
func (w *workloads) read(name string) (string, error) {
	if !slices.Contains(w.names(), name) {
		return "", fmt.Errorf("unknown workload %q%s", name, plan.Instead(name, w.names()))
	}
	return name, nil
}

func (w *workloads) names() (names []string) {
	for _, load := range w.all {
		names = append(names, load.Name)
	}
	return names
}

// chosen returns the workloads of -workload, in the order of the table.
func (w *workloads) chosen() (names []string) {
	all := len(w.wanted.Values) == 0
	return slices.DeleteFunc(w.names(), func(name string) bool { return !all && !w.wanted.Has(name) })
}

// checkRemote returns an error for workload options with -host: the other machine
// would not get them.
func (w *workloads) checkRemote() error {
	for _, load := range w.all {
		if load.Flag != "" && w.option(load.Name) != load.Default {
			return fmt.Errorf("-%s: with -host it is an option of -serve", load.Flag)
		}
	}
	return nil
}

// arg returns what tells a server process its workload; "" if it has none.
func (w *workloads) arg(name string) string {
	if name == "" {
		return ""
	}
	return name + "=" + w.option(name)
}

func (w *workloads) option(name string) string {
	if option := w.options[name]; option != nil {
		return *option
	}
	return ""
}

// start starts the work of a server process; arg is what arg returned.
func (w *workloads) start(arg string) (name string, started framework.Work, err error) {
	name, option, _ := strings.Cut(arg, "=")
	for _, load := range w.all {
		if load.Name == name {
			if started, err = load.Start(option); err != nil {
				err = fmt.Errorf("workload %s: %w", name, err)
			}
			return name, started, err
		}
	}
	return name, started, fmt.Errorf("no workload %q", name)
}

// try starts and ends each workload once in this process. A workload that cannot
// start is then one error before anything is measured, not an error per variant. try
// returns the set-ups of the workloads, by config keys.
func (w *workloads) try(names []string) (setups map[string]string, err error) {
	setups = map[string]string{}
	for _, name := range names {
		_, started, err := w.start(w.arg(name))
		if err != nil {
			return nil, err
		}
		if started.Setup != "" {
			setups["workload-"+name] = started.Setup
		}
		if err := started.End(); err != nil {
			return nil, fmt.Errorf("workload %s: close: %w", name, err)
		}
	}
	return setups, nil
}
