// Package environ chooses what the processes of a measurement know of the environment.
//
// It is a table of what they must not know, rather than of all that they may. A server of
// somebody else reads variables that nobody here can list, and the client, which is the
// process of the benchmark, has read them: a server that is not told would be another
// than the one asked for, and no line could say which of forty names had mattered.
package environ

import (
	"os"
	"slices"
	"strings"
)

// ofStarter are the variables about the process that started the benchmark, and not about
// what is measured: a commit under way, a directory with a go.work, the place of this
// process among others, and its token. A server or client that read the place would take itself
// for a rank, and programs of others, such as a proxy, have no use for the token.
var ofStarter = [...]string{
	"GIT_", "GOWORK",
	"SLURM_", "PMI_", "PMIX_", "OMPI_", "JOB_COMPLETION_INDEX", "NOMAD_",
	"RPCBENCH_TOKEN",
}

// envLeftOut keeps the names that LeaveOut has left out, for the process that is executed
// again.
const envLeftOut = "RPCBENCH_LEFT_OUT"

// Child is the environment of a server, a client or a proxy, from env as os.Environ has it.
func Child(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return changesOne(name) || listed(name, ofStarter[:]) || name == envLeftOut
	})
}

// Alone lists the names of what is in env and changes one framework alone, in alphabetic
// order; nil for none.
func Alone(env []string) (names []string) {
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); changesOne(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// LeaveOut takes the variables that change one framework alone out of the environment of
// this process, which is the client, and returns their names in alphabetic order; nil for
// none. Packages have read some before main, so that it calls again, which executes this
// process again if the system can. The process executed again returns the same names. It
// must be called first, and Told when nothing executes this process any more.
func LeaveOut(again func() error) (names []string, err error) {
	before := strings.Fields(os.Getenv(envLeftOut))
	if names = Alone(os.Environ()); len(names) == 0 {
		return before, nil
	}
	for _, name := range names {
		os.Unsetenv(name)
	}
	names = append(names, before...)
	slices.Sort(names)
	os.Setenv(envLeftOut, strings.Join(names, " "))
	if len(before) == 0 {
		err = again()
	}
	return names, err
}

// Told ends what LeaveOut keeps: processes that this one starts have nothing to leave out.
func Told() { os.Unsetenv(envLeftOut) }

// Note is a line without its end that says which variables were left out; "" for none.
// Values are not told: a proxy's may have a password in it.
func Note(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "environment: left out " + strings.Join(names, ", ")
}
