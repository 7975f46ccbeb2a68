package rpcbench_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wall says which directories, with those below them, may import a package and
// those below it. Tests may import what they like.
type wall struct {
	about string
	path  string
	rooms []string
	open  []string // below path, and open to all
}

// The suite, and in it the contract, what an adapter implements.
const (
	suitePath = "github.com/rpcbench/rpcbench/frameworks/suite"
	contract  = suitePath + "/framework"
)

// codecRooms are the packages behind the face of the serializers' suite.
const codecRooms = "github.com/rpcbench/rpcbench/codecs/suite/internal"

var walls = []wall{
	{"a framework is imported by its own directory alone, and by what tells a virtual machine what to do", "net/rpc", []string{"frameworks/netrpc", "frameworks/machines/guest"}, nil},
	{"benchmarks are a matter of the bridge and the suites", "testing", []string{"loadgen/loadbench", "frameworks/suite", "codecs/suite"}, nil},
	{"processes are a matter of the host, of a virtual machine, and of the victims of hostile input", "os/exec", []string{inside + "host", "frameworks/machines/guest", "codecs/suite/internal/hostile", "codecs/suite/internal/self", "cmd"}, nil},
	{"databases are a matter of the workloads", "database/sql", []string{"frameworks/workloads"}, nil},
	{"loadgen, codecs and commands know no framework", "github.com/rpcbench/rpcbench/frameworks", []string{"frameworks"}, []string{suitePath}},
	{"the contract and distributions are all that adapters and workloads know of the suite", suitePath, []string{"frameworks/suite"}, []string{contract, suitePath + "/spread"}},
	{"loadgen knows no RPC", contract, []string{"frameworks"}, nil},
}

// ban says what the files of a directory may not import.
type ban struct {
	about string
	room  string   // with those below it, unless it ends in a slash
	path  string   // with those below it, or anyModule
	but   []string // of these, what is allowed
}

var bans = []ban{
	{"the load generator imports the standard library alone, carriers, and what is internal to its module", "loadgen/", anyModule, []string{"github.com/rpcbench/rpcbench/loadgen/carrier", "github.com/rpcbench/rpcbench/loadgen/internal"}},
	{"the search for a capacity imports loadgen and the standard library", "loadgen/capacity", anyModule, []string{"github.com/rpcbench/rpcbench/loadgen"}},
	{"the contract imports loadgen, the standard library, and what servers are asked for", "frameworks/suite/framework", anyModule, []string{"github.com/rpcbench/rpcbench/loadgen", contract, rooms + "ask"}},
	{"what servers are asked for is known to both sides, and knows neither", inside + "ask", anyModule, nil},
	{"adapters that send other messages do not bring these with them", "frameworks/internal/native/", anyModule, []string{"github.com/rpcbench/rpcbench/loadgen", contract}},
	{"connections are the standard library's", "frameworks/internal/conns/", anyModule, []string{contract}},
	{"the plan knows flags and variants, and not how they are measured", inside + "plan", suitePath, []string{contract, suitePath + "/spread", rooms + "commandline", rooms + "line", rooms + "tide", rooms + "value", rooms + "stack"}},
	{"what is around a variant knows no flags", inside + "stack", suitePath, []string{contract}},
	{"a tide is a schedule, and knows nothing of the suite", inside + "tide", suitePath, []string{rooms + "value"}},
	{"an estimate knows the plan alone", inside + "estimate", suitePath, []string{contract, rooms + "plan"}},
	{"what is called knows neither servers nor who calls", inside + "call", suitePath, []string{contract, suitePath + "/spread", rooms + "ask", rooms + "plan", rooms + "push", rooms + "value", rooms + "work"}},
	{"what a server pushes knows streams alone", inside + "push", suitePath, []string{contract, rooms + "ask"}},
	{"who calls knows no server, and not what is read of them", inside + "load", suitePath + "/internal", []string{rooms + "plan", rooms + "call", rooms + "foreign", rooms + "idle", rooms + "limit", rooms + "splitmix", rooms + "host", rooms + "stack"}},
	{"servers know neither calls nor who makes them", inside + "server", suitePath + "/internal", []string{rooms + "plan", rooms + "work", rooms + "foreign", rooms + "host", rooms + "stack"}},
	{"faults are of servers and calls, and not of benchmarks", inside + "fault", suitePath + "/internal", []string{rooms + "call", rooms + "load", rooms + "relay", rooms + "server", rooms + "host"}},
	{"what is read of both sides knows no benchmark", inside + "probe", suitePath + "/internal", []string{rooms + "plan", rooms + "load", rooms + "server", rooms + "host"}},
	{"ranks meet whatever they are to call", inside + "ranks", suitePath + "/internal", []string{rooms + "plan", rooms + "ledger", rooms + "foreign", rooms + "host"}},
	{"the ledger knows texts, and not what they are about", inside + "ledger", suitePath, []string{rooms + "foreign"}},
	{"trials are of servers that nobody has started", inside + "trial", suitePath + "/internal", []string{rooms + "plan", rooms + "call", rooms + "load", rooms + "foreign", rooms + "host"}},
	{"the rig is handed its benchmarks", inside + "rig", rooms + "bench", nil},
	{"conformance knows no benchmark", inside + "conformance", rooms + "bench", nil},
	{"what servers and clients survive is no matter of a benchmark", inside + "resilience", rooms + "bench", nil},
	{"progress knows names of cases, and not what they are", inside + "progress", suitePath, nil},
	{"proxies with faults know bytes, and not what is called", inside + "storm", suitePath, []string{rooms + "race", rooms + "relay"}},
	{"a relay knows datagrams, and not what is in them", inside + "relay", suitePath, nil},
	{"package testing is for the face", "frameworks/suite/framework", "testing", nil},
	{"package testing is for the face", "frameworks/suite/internal", "testing", nil},
	{"package testing is for the face", "codecs/suite/internal", "testing", nil},
	{"a bed is run, and knows nobody who runs it", "codecs/suite/internal/bed", codecRooms, nil},
	{"hostile input needs a decoder, and no bed", "codecs/suite/internal/hostile", codecRooms + "/bed", nil},
	{"figures are read from files", "codecs/suite/internal/figures", codecRooms, []string{codecRooms + "/bed", codecRooms + "/markdown", codecRooms + "/regular"}},
	{"pages know no benchmark", "cmd/benchreport/page", viewPath, nil},
	{"layers are those of any benchmark", "cmd/benchreport/figure/layers", viewPath, nil},
	{"releases are those of any benchmark", "cmd/benchreport/figure/releases", viewPath, nil},
	{"a host knows no benchmark", inside + "host", suitePath, []string{rooms + "host", rooms + "foreign", rooms + "limit", rooms + "line", rooms + "regular"}},
	{"CPUs know neither servers nor who runs on them", inside + "host/cpus", suitePath, []string{rooms + "host/cpus", rooms + "host/self"}},
	{"processes know neither servers nor networks", inside + "host/process", suitePath, []string{rooms + "host/cpus", rooms + "host/environ", rooms + "host/process", rooms + "host/resident", rooms + "host/self"}},
}

// The rooms of the suite, as directories and as packages.
const (
	inside = "frameworks/suite/internal/"
	rooms  = suitePath + "/internal/"
)

// viewPath says how each benchmark is shown in a report.
const viewPath = "github.com/rpcbench/rpcbench/cmd/benchreport/figure/view"

// anyModule is all packages beyond the standard library.
const anyModule = "*.*"

// breaks reports whether a file's import is banned.
func (b ban) breaks(file, path string) bool {
	banned := below(path, []string{b.path})
	if b.path == anyModule {
		first, _, _ := strings.Cut(path, "/")
		banned = strings.Contains(first, ".")
	}
	inside := below(file, []string{b.room})
	if dir, alone := strings.CutSuffix(b.room, "/"); alone {
		inside = filepath.ToSlash(filepath.Dir(file)) == dir
	}
	return banned && inside && !below(path, b.but)
}

// breaks reports whether a file is not in the rooms that may import a package.
func (w wall) breaks(file, path string) bool {
	return below(path, []string{w.path}) && !below(path, w.open) && !below(file, w.rooms)
}

func TestBans(t *testing.T) {
	for file, imports := range sources(t) {
		for _, path := range imports {
			for _, b := range bans {
				if b.breaks(file, path) {
					t.Errorf("%s imports %s: %s", file, path, b.about)
				}
			}
		}
	}
}

// TestWallsCatch plants an import that each wall and each ban is about, and some
// that none is.
func TestWallsCatch(t *testing.T) {
	for _, w := range append(frameworkWalls(), walls...) {
		assert.True(t, w.breaks("elsewhere/x.go", w.path), w.about)
		assert.True(t, w.breaks("elsewhere/x.go", w.path+"/below"), w.about)
		assert.False(t, w.breaks(w.rooms[0]+"/x.go", w.path), w.about)
		assert.False(t, w.breaks("elsewhere/x.go", w.path+"more"), w.about)
	}
	for _, b := range bans {
		path := strings.ReplaceAll(b.path, anyModule, "google.golang.org/grpc")
		room, alone := strings.CutSuffix(b.room, "/")
		assert.True(t, b.breaks(room+"/x.go", path), b.about)
		assert.Equal(t, !alone, b.breaks(room+"/below/x.go", path+"/below"), b.about)
		assert.False(t, b.breaks("elsewhere/x.go", path), b.about)
		assert.False(t, b.breaks(room+"/x.go", "net/http"), b.about)
	}
}

// guests are the directories that share an adapter's code, or its framework: pollers have
// rows with the frames and clients of raw TCP, two of them carry another framework, and zRPC
// is gRPC.
var guests = map[string][]string{
	"github.com/rpcbench/rpcbench/frameworks/tcp": {"frameworks/gnet", "frameworks/netpoll", "frameworks/nbio"},
	"github.com/cloudwego/netpoll":                {"frameworks/kitex"},
	"github.com/lesismal/nbio":                    {"frameworks/arpc"},
	"google.golang.org/grpc":                      {"frameworks/zrpc"},
}

// frameworkWalls are those around the frameworks of the table.
func frameworkWalls() (list []wall) {
	for _, v := range frameworks {
		own := "frameworks/" + v.Framework
		adapter := "github.com/rpcbench/rpcbench/" + own
		list = append(list, wall{"nobody imports an adapter but tables, which are tests, and its guests", adapter, append([]string{own}, guests[adapter]...), nil})
		if len(v.Modules) > 0 {
			rooms := append([]string{own, "codecs", "cmd/tools", "loadgen/grpcload"}, guests[v.Modules[0]]...)
			list = append(list, wall{"a framework is imported by its own directory alone", v.Modules[0], rooms, nil})
		}
	}
	return list
}

func TestWalls(t *testing.T) {
	all := append(frameworkWalls(), walls...)
	for file, imports := range sources(t) {
		for _, path := range imports {
			for _, w := range all {
				if w.breaks(file, path) {
					t.Errorf("%s imports %s: %s", file, path, w.about)
				}
			}
		}
	}
}

// sources lists the imports of every Go file of every module, tests left out.
func sources(t *testing.T) map[string][]string {
	imports := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range parsed.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			imports[filepath.ToSlash(file)] = append(imports[filepath.ToSlash(file)], path)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(imports), 30)
	return imports
}

// below reports whether path is one of the roots or below one.
func below(path string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return path == root || strings.HasPrefix(path, root+"/")
	})
}
