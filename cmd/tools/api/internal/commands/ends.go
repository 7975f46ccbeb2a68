package commands

import (
	"fmt"
	"slices"
	"strings"
)

// end is a way in which a program ends.
type end struct {
	program   string
	why       string
	args      []string
	files     map[string]string // in the directory in which it runs, which is first in PATH
	before    [][]string        // commands to be run there
	interrupt bool              // as soon as it calls server, or runs something that does,
	says      string            // or prints this
}

// server is the address of an HTTP server in arguments. It never answers a program that is to be
// interrupted.
const server = "SERVER"

// endless is a program that tells that it has begun, and goes on until it is killed.
const endless = "#!/bin/bash\nexec 3<>/dev/tcp/${BEGUN/:/\\/}\nexec sleep 60\n"

// lines is a program as a benchmark binary, and failing one that fails after its lines.
const (
	lines   = "#!/bin/sh\ncase $* in *-cases) echo BenchmarkA; exit ;; esac\necho BenchmarkA 1 1 ns/op\n"
	failing = lines + "exit 1\n"
)

// counted is the benchmark of a module that allocates a number of objects.
func counted(n int) string {
	return fmt.Sprintf("package p\n\nimport \"testing\"\n\nfunc BenchmarkCount(b *testing.B) {\n\tb.ReportMetric(0, \"ns/op\")\n\tb.ReportMetric(%d, \"server-allocs/op\")\n}\n", n)
}

// commit makes a repository of the files, and then adds an object to what the benchmark counts.
var commit = [][]string{
	{"git", "init", "-q"},
	{"git", "add", "."},
	{"git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "first"},
	{"cp", "later", "p_test.go"},
}

// ends are the ways, one at least for each exit code of a program.
func ends() []end {
	return slices.Concat(ofLoads(), ofRounds(), ofComparisons(), ofReports(), ofBenchmarks())
}

func ofLoads() (list []end) {
	for _, p := range []string{"load", "grpcload"} {
		url, method := "http://", ""
		if p == "grpcload" {
			url, method = "", " -insecure a.B/C"
		}
		list = append(list,
			end{program: p, why: "a flag that does not exist", args: words("-nothing")},
			end{program: p, why: "nobody listens at the server's address", args: words("-rate=1 -for=1s " + url + "127.0.0.1:1" + method)},
			end{program: p, why: "an interrupt", args: words("-rate=1 -for=1s " + url + server + method), interrupt: true})
	}
	return append(list,
		end{program: "load", why: "all calls are well", args: words("-rate=10 -for=1s -require=errors=0 http://" + server)},
		end{program: "load", why: "a condition is not met", args: words("-rate=10 -for=1s -require=calls>99 http://" + server)},
		end{program: "loadmerge", why: "no record is given"},
		end{program: "loadmerge", why: "a record that is not there", args: words("missing.json")},
		end{program: "selftest", why: "a flag that does not exist", args: words("-nothing")})
}

func ofRounds() []end {
	return []end{
		{program: "benchrounds", why: "all rounds are well", args: words("-n=1 out.txt=./b --"), files: map[string]string{"b": lines}},
		{program: "benchrounds", why: "no binary is given"},
		{program: "benchrounds", why: "a binary fails after its lines", args: words("-n=1 out.txt=./b --"), files: map[string]string{"b": failing}},
		{program: "benchrounds", why: "no binary has a result", args: words("-n=1 out.txt=./b --"), files: map[string]string{"b": "#!/bin/sh\nexit 1\n"}},
		{program: "benchrounds", why: "an interrupt", args: words("-n=1 out.txt=./b --"), files: map[string]string{"b": endless}, interrupt: true},
		{program: "peer", why: "no peer is given"},
		{program: "peer", why: "a server that cannot be built", args: words("name . ./b framework=x"), files: map[string]string{"b": lines, "pom.xml": "", "java": lines, "mvn": "#!/bin/sh\nexit 1\n"}},
	}
}

func ofComparisons() []end {
	files := map[string]string{"go.mod": "module m\n\ngo 1.26\n", "p_test.go": counted(8), "later": counted(9)}
	return []end{
		{program: "benchdiff", why: "nothing to compare", args: words("-counts=1 --")},
		{program: "benchdiff", why: "one more allocation", args: words("-counts=5 -base=HEAD -- -test.bench=. -test.benchtime=1x"), files: files, before: commit},
		{program: "benchdiff", why: "an interrupt", args: words("-base=HEAD --"), files: map[string]string{"git": endless}, interrupt: true},
		{program: "benchhistory", why: "nothing to measure", args: words("--")},
		{program: "benchhistory", why: "an interrupt", args: words("-commits=HEAD -pkg=. --"), files: map[string]string{"git": endless}, interrupt: true},
	}
}

func ofReports() []end {
	return []end{
		{program: "benchreport", why: "nothing to write", args: words("lines.txt")},
		{program: "benchreport", why: "a text without results", args: words("-table=- lines.txt"), files: map[string]string{"lines.txt": "nothing\n"}},
		{program: "benchreport", why: "a table is written", args: words("-table=- lines.txt"), files: map[string]string{"lines.txt": echo}},
		{program: "benchanatomy", why: "no directory is given"},
		{program: "benchanatomy", why: "a directory that is not there", args: words("missing")},
	}
}

// echo is a line of a benchmark that benchreport knows.
const echo = "BenchmarkEcho/framework=a/transport=b/codec=c/size=1KiB/conc=1 1 1 ns/op 1 calls/s 1 p50-ns 0 errors 1 client-cpu-ns/op 1 server-cpu-ns/op\n"

// The binaries of benchmarks, of which one has frameworks, one serializers, and one a single
// framework that is started as programs are.
const (
	Frameworks  = "frameworks/suite"
	Serializers = "codecs/suite"
	Footprint   = "footprint"
)

func ofBenchmarks() []end {
	const one = "-test.run=^$ -test.bench=Echo/framework=netrpc/transport=tcp/codec=gob "
	return []end{
		{program: Frameworks, why: "a benchmark is well", args: words(one + "-size=64B -conc=1 -test.benchtime=1x")},
		{program: Frameworks, why: "a flag that does not exist", args: words("-nothing")},
		{program: Frameworks, why: "a pattern that selects nothing", args: words("-test.run=^$ -test.bench=Nothing")},
		{program: Frameworks, why: "a server of -server that is not there", args: words(one + "-server=framework=netrpc/transport=tcp/codec=gob@127.0.0.1:1")},
		{program: Frameworks, why: "an interrupt", args: words(one + "-size=64B -conc=1 -test.benchtime=1m"), interrupt: true, says: "BenchmarkEcho"},
		{program: Serializers, why: "a benchmark is well", args: words("-test.run=^$ -test.benchtime=1x -test.bench=Codec/codec=json$/msg=bench$/op=marshal$")},
		{program: Serializers, why: "a flag that does not exist", args: words("-nothing")},
		{program: Serializers, why: "a pattern that selects nothing", args: words("-test.run=^$ -test.bench=Nothing")},
		{program: Footprint, why: "a start is measured", args: words("-rest=0s")},
		{program: Footprint, why: "a flag that does not exist", args: words("-nothing")},
		{program: Footprint, why: "a start takes too long", args: words("-limit=1ns")},
	}
}

func words(text string) []string { return strings.Fields(text) }
