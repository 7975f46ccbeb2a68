package host

import (
	"os"
	"slices"
	"strings"
)

// envLeftOut keeps the names that LeaveOut has left out, for the process that PinSelf
// executes again.
const envLeftOut = "RPCBENCH_LEFT_OUT"

// leftOut are the variables that change the path or the settings of one framework alone.
// A name that ends in _ stands for all that begin so.
var leftOut = []string{
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", // net/http and grpc go by way of the proxy, all others do not
	"GRPC_", "KITEX_", // settings of one framework
}

// LeaveOut takes the variables that change one framework alone out of the environment of
// this process, and so of all that it starts. It returns their names in order; nil for
// none. It must be called before a framework reads them.
func LeaveOut() (names []string) {
	names = strings.Fields(os.Getenv(envLeftOut))
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); changesOne(name) {
			names = append(names, name)
			os.Unsetenv(name)
		}
	}
	slices.Sort(names)
	if len(names) > 0 {
		os.Setenv(envLeftOut, strings.Join(names, " "))
	}
	return names
}

// ToldLeftOut ends what LeaveOut keeps: other processes that this one starts leave out nothing.
// It is to be called after PinSelf.
func ToldLeftOut() { os.Unsetenv(envLeftOut) }

// changesOne reports whether a variable is left out, in capitals or small letters.
func changesOne(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(leftOut, func(l string) bool {
		return name == l || strings.HasSuffix(l, "_") && strings.HasPrefix(name, l)
	})
}
