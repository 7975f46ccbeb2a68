package rpcbench_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// TestReportsKnowTheSystems holds the list by which benchreport ranks
// frameworks, and finds their versions, to what the frameworks say.
func TestReportsKnowTheSystems(t *testing.T) {
	ranks, versions := map[string]string{}, map[string]string{}
	for line := range strings.Lines(read(t, "cmd/benchreport/figure/systems.txt")) {
		if f := strings.Fields(line); len(f) == 3 {
			ranks[f[0]], versions[f[0]] = f[1], f[2]
		}
	}
	words := map[framework.Rank]string{framework.Ranked: "ranked", framework.Reference: "reference", framework.Ours: "ours"}
	for _, v := range frameworks {
		rank, version := ranks[v.Framework], versions[v.Framework]
		if rank == "" {
			rank, version = "ranked", v.Framework
		}
		assert.Equal(t, words[v.Rank], rank, v.ID())
		if v.Rank == framework.Ranked {
			assert.Contains(t, append(moduleNames(v.Modules), "go"), version, "%s: its configuration line", v.ID())
		}
	}
}

// moduleNames are the names of configuration lines: the ends of paths, but for
// the major version.
func moduleNames(modules []string) (names []string) {
	for _, m := range modules {
		if base := path.Base(m); strings.Trim(base, "v0123456789") != "" {
			names = append(names, strings.ToLower(base))
		} else {
			names = append(names, strings.ToLower(path.Base(path.Dir(m))))
		}
	}
	return names
}
