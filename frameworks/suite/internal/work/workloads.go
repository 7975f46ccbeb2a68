// Package work is the work of handlers, by the names of its workloads.
package work

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework/workload"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/frames"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

// Workloads are the workloads of a process that measures.
type Workloads struct {
	all     []workload.Workload
	wanted  plan.List[string]
	options map[string]*string // by the workload's name
}

// New returns the workloads of a table.
func New(all []workload.Workload) *Workloads {
	return &Workloads{all: all, options: map[string]*string{}}
}

// Register registers -workload and the flags of the workloads.
func (w *Workloads) Register(fs *flag.FlagSet) {
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

// Flags returns the names of all flags.
func (w *Workloads) Flags() (names []string) {
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

// Check returns an error if a name cannot be a value of a key.
func (w *Workloads) Check() error {
	names := w.Names()
	for i, name := range names {
		if name == "" || strings.ContainsAny(name, "/=, ") || foreign.Line(name) != name || slices.Contains(names[:i], name) {
			return fmt.Errorf("Config.Workloads: the name %q is there twice or cannot be a name", name)
		}
	}
	return nil
}

// read checks a name given by -workload.
func (w *Workloads) read(name string) (string, error) {
	if !slices.Contains(w.Names(), name) {
		return "", fmt.Errorf("unknown workload %q%s", name, plan.Instead(name, w.Names()))
	}
	return name, nil
}

// Names returns the names of all workloads, in the order of the table.
func (w *Workloads) Names() (names []string) {
	for _, load := range w.all {
		names = append(names, load.Name)
	}
	return names
}

// Chosen returns the workloads of -workload, in the order of the table.
func (w *Workloads) Chosen() (names []string) {
	all := len(w.wanted.Values) == 0
	return slices.DeleteFunc(w.Names(), func(name string) bool { return !all && !w.wanted.Has(name) })
}

// One returns the workload of -workload for a process that has one server; "" if the flag
// is not given. An option of another workload would change nothing.
func (w *Workloads) One() (name string, err error) {
	if list := w.wanted.Values; len(list) > 1 {
		return "", fmt.Errorf("-workload=%s: a server does the work of one: give one", &w.wanted)
	} else if len(list) == 1 {
		name = list[0]
	}
	for _, load := range w.all {
		if load.Flag != "" && load.Name != name && w.option(load.Name) != load.Default {
			return "", fmt.Errorf("-%s is for -workload=%s: give both", load.Flag, load.Name)
		}
	}
	return name, nil
}

// CheckRemote returns an error for workload options with -host: the other machine
// would not get them.
func (w *Workloads) CheckRemote() error {
	for _, load := range w.all {
		if load.Flag != "" && w.option(load.Name) != load.Default {
			return fmt.Errorf("-%s: with -host it is an option of -serve", load.Flag)
		}
	}
	return nil
}

// Arg returns what tells a server process its workload; "" if it has none.
func (w *Workloads) Arg(name string) string {
	if name == "" {
		return ""
	}
	return name + "=" + w.option(name)
}

// SlowArg returns what tells a server process to take factor times as long for each call of
// a workload: at least 1 and at most 1000. It returns an error for a workload that has no
// time to multiply.
func (w *Workloads) SlowArg(name string, factor float64) (string, error) {
	var able []string
	for _, load := range w.all {
		if load.Scales && load.Name == name {
			return fmt.Sprintf("%s=%gx:%s", name, factor, w.option(name)), nil
		}
		if load.Scales {
			able = append(able, load.Name)
		}
	}
	return "", fmt.Errorf("workload=%s cannot take %g times as long: of all workloads, only %s can", name, factor, strings.Join(able, " and "))
}

func (w *Workloads) option(name string) string {
	if option := w.options[name]; option != nil {
		return *option
	}
	return ""
}

// Start starts the work of a server process; arg is what arg returned. frames.Work is there
// beside those that have flags.
func (w *Workloads) Start(arg string) (name string, started workload.Work, err error) {
	name, option, _ := strings.Cut(arg, "=")
	if name == frames.Work {
		return name, workload.Work{Do: frames.Handle}, nil
	}
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

// Try starts and ends each workload once in this process. A workload that cannot
// start is then one error before anything is measured, not an error per variant. try
// returns the set-ups of the workloads, by config keys.
func (w *Workloads) Try(names []string) (setups map[string]string, err error) {
	setups = map[string]string{}
	for _, name := range names {
		_, started, err := w.Start(w.Arg(name))
		if err != nil {
			return nil, err
		}
		if started.Setup != "" {
			setups["workload-"+name] = started.Setup
		}
		if err := End(started); err != nil {
			return nil, fmt.Errorf("workload %s: close: %w", name, err)
		}
	}
	return setups, nil
}

// End frees the resources of work, if there are any.
func End(w workload.Work) error {
	if w.Close == nil {
		return nil
	}
	return w.Close()
}
