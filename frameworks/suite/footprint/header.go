package footprint

import (
	"fmt"
	"maps"
	"runtime"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/machine"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/host/settings"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/legend"
)

// header is what stands above the lines. The error says that a setting of the
// environment would be ignored.
func header(chosen []framework.Variant) (string, error) {
	if err := settings.Check(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(units)
	legend.Print(&b, "", config(chosen, modules()))
	about := map[string]string{"rank": legend.Ranks(chosen), "version-key": legend.VersionKeys(chosen)}
	maps.DeleteFunc(about, func(_, value string) bool { return value == "" })
	legend.Print(&b, "# ", about)
	return b.String(), nil
}

// config is what all lines have in common. The processes are not pinned to CPUs.
func config(chosen []framework.Variant, versions map[string]string) map[string]string {
	config := settings.Here()
	maps.Copy(config, machine.Here())
	config["go"], config["goexperiment"] = legend.GoVersion(runtime.Version())
	config["goos"], config["goarch"] = runtime.GOOS, runtime.GOARCH
	if cpu := legend.CPU(); cpu != "" {
		config["cpu"] = cpu
	}
	config["procs"] = fmt.Sprint(runtime.GOMAXPROCS(0))
	for _, v := range chosen {
		for _, m := range v.Modules {
			if versions[m] != "" {
				config[legend.Key(m)] = versions[m]
			}
		}
	}
	return config
}
