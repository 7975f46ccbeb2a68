package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// stage is a run of tests in the directory of a module.
type stage struct {
	dir  string
	args []string // of go test
}

// users are the packages beyond a module that run most of its code.
var users = map[string][]stage{
	"loadgen":          {{"loadgen/example", []string{"./..."}}, {"frameworks/suite", []string{"./..."}}},
	"frameworks/suite": {{"frameworks/suite/example", []string{"./..."}}, {".", []string{".", "./frameworks/tcp", "./frameworks/netrpc", "./frameworks/grpc"}}},
	"codecs/suite":     {{"codecs/suite/example", []string{"./..."}}, {"codecs/adapters", []string{"./..."}}},
	"cmd":              {{".", []string{"."}}},
}

// stagesOf lists the runs of tests that a mutant in a file has to survive. The short
// ones come first, since they kill most.
func stagesOf(root, file string) [][]stage {
	dir, pkg := module(root, file)
	all := []string{"./..."}
	if dir == "." { // its module has all frameworks
		all = []string{".", pkg}
	}
	short := append([]string{"-short"}, all...)
	return [][]stage{{{dir, []string{"-short", pkg}}}, {{dir, short}}, append([]stage{{dir, all}}, users[dir]...)}
}

// module finds the module of a file, and its package there.
func module(root, file string) (dir, pkg string) {
	dir = path.Dir(file)
	for dir != "." && !exists(filepath.Join(root, dir, "go.mod")) {
		dir = path.Dir(dir)
	}
	rel, _ := filepath.Rel(dir, path.Dir(file))
	return dir, "./" + filepath.ToSlash(rel)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// alone is the run of one test of these.
func (s stage) alone(name string) stage {
	name, _, _ = strings.Cut(name, "/")
	return stage{s.dir, append([]string{"-run=^" + name + "$"}, s.args...)}
}

func (l *lab) test(copied string, s stage, limit time.Duration) (out string, err error) {
	args := []string{"test", "-vet=off", "-count=1", "-failfast", "-parallel=4", fmt.Sprint("-timeout=", limit)}
	return l.golang(copied, limit+time.Minute, s.dir, append(args, s.args...)...)
}
