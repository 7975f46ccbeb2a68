// Package given says which arguments test binaries must not be given where they are run in
// rounds: with these a run ends in failures, or measures what nobody reads.
package given

import (
	"fmt"
	"strings"
)

// Check returns an error for the first argument that no rounds can have, with what to do.
func Check(args []string) error {
	for i, arg := range args {
		name, value, found := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		if !found && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			value = args[i+1]
		}
		if why := refused(name, value); why != "" {
			return fmt.Errorf("-%s=%s: %s", name, value, why)
		}
	}
	return nil
}

// refused says why an argument is refused; "" if it is not.
func refused(name, value string) string {
	switch name {
	case "test.count", "count":
		if value != "1" {
			return "the rounds are the repeats, each in a process of its own: leave it out"
		}
	case "test.list":
		return "it has names listed and nothing measured: leave it out"
	case "test.fuzz":
		return "it has inputs looked for and nothing measured: leave it out"
	case "test.cpuprofile", "test.memprofile", "test.blockprofile", "test.mutexprofile", "test.trace", "test.coverprofile",
		"server-cpuprofile", "server-memprofile", "server-blockprofile", "server-mutexprofile", "server-trace", "client-cpuprofile":
		return "each process would write over the file of the one before: for a profile, run the binary itself"
	case "test.v":
		if value == "test2json" {
			return "it is for go test -json, whose output is not read: leave it out"
		}
	}
	return ""
}
