package layers

import (
	"maps"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/number"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// tuned are the settings that may be what was added, with their names.
var tuned = []lines.Key{{Key: "pgo", Value: "PGO"}, {Key: "gogc", Value: "GOGC"}, {Key: "gomemlimit", Value: "GOMEMLIMIT"}}

func settingKeys() (keys []string) {
	for _, k := range tuned {
		keys = append(keys, k.Key)
	}
	return keys
}

// settings has, by file and key, the settings of bases: the configuration of a file's first
// line.
type settings map[string]map[string]string

func settingsOf(all []lines.Line) settings {
	s := settings{}
	for _, l := range all {
		if s[l.File()] == nil {
			s[l.File()] = map[string]string{}
			maps.Copy(s[l.File()], l.Config)
		}
	}
	return s
}

// of says which settings of a line differ from those of its file's first.
func (s settings) of(l lines.Line) string {
	var words []string
	for _, k := range tuned {
		value, base := l.Config[k.Key], s[l.File()][k.Key]
		switch {
		case value == "" || value == base:
		case k.Key == "pgo":
			words = append(words, k.Value)
		default:
			words = append(words, k.Value+"="+inMiB(k.Key, value))
		}
	}
	return strings.Join(words, " ")
}

// inMiB writes a limit, which is in bytes, in MiB.
func inMiB(key, value string) string {
	if bytes := number.Positive(value); key == "gomemlimit" && bytes > 0 {
		return number.Digits(bytes/(1<<20)) + "MiB"
	}
	return value
}
