package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"
)

// stage is a run of tests.
type stage struct {
	key      string // of the module
	packages []packages
}

// packages are patterns of go test, in the directory of a module.
type packages struct {
	dir      string
	patterns []string
}

// users are the packages beyond a module that run most of its code.
var users = map[string][]packages{
	"loadgen":          {{"loadgen/example", []string{"./..."}}, {"frameworks/suite", []string{"./..."}}},
	"frameworks/suite": {{"frameworks/suite/example", []string{"./..."}}, {".", []string{".", "./frameworks/tcp", "./frameworks/netrpc", "./frameworks/grpc"}}},
	"codecs/suite":     {{"codecs/adapters", []string{"./..."}}},
	"cmd":              {{".", []string{"."}}},
	".":                {{".", []string{"."}}},
}

// stagesOf lists the runs of tests that a mutant in a file has to survive.
func stagesOf(root, file string) []stage {
	dir, pkg := module(root, file)
	all := stage{dir, []packages{{dir, []string{"./..."}}}}
	if dir == "." { // its module has all frameworks
		all.packages[0].patterns = []string{".", pkg}
	}
	return []stage{
		{all.key, []packages{{dir, []string{pkg}}}},
		all,
		{"users of " + dir, users[dir]},
	}
}

// whole is the run whose time bounds that of the stage.
func (s stage) whole() stage {
	if p := s.packages; len(p) == 1 && p[0].dir != "." && s.key == p[0].dir {
		return stage{s.key, []packages{{s.key, []string{"./..."}}}}
	}
	return s
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

func (s stage) test(copied string, limit time.Duration) (out string, err error) {
	for _, p := range s.packages {
		args := append([]string{"test", "-vet=off", "-count=1", "-failfast", "-parallel=4", fmt.Sprint("-timeout=", limit)}, p.patterns...)
		if out, err = golang(copied, limit+time.Minute, p.dir, args...); err != nil {
			return out, err
		}
	}
	return out, nil
}
