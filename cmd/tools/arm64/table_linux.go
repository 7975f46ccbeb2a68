package main

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// tree is a directory and what is below it.
type tree struct {
	dir string
	why string // it is left out; "" has it tested
}

// trees says what is tested. Of several trees that have a directory, the deepest counts.
var trees = [...]tree{
	{".", "it reads documents, and starts go and git"},
	{"loadgen", ""},
	{"codecs", ""},
	{"frameworks", "it does the same as those that are tested, over the packages that they share"},
	{"frameworks/arpc", ""},
	{"frameworks/connect", ""},
	{"frameworks/grpc", ""},
	{"frameworks/grpc/frozen", "it is grpc in another version"},
	{"frameworks/internal", ""},
	{"frameworks/kitex", ""}, // its netpoll calls the kernel by itself
	{"frameworks/kitex/frozen", "it is kitex in another version"},
	{"frameworks/netrpc", ""},
	{"frameworks/tcp", ""},
	{"frameworks/suite", "its tests measure and judge figures, hours under emulation"},
	{"frameworks/suite/framework", ""},
	{"frameworks/suite/internal", ""},
	{"frameworks/suite/spread", ""},
	{"cmd", "it starts go and git, and reads files"},
	{"cmd/benchdiff/verdict", ""}, // arm64 multiplies and adds with one rounding
	{"cmd/benchreport/figure", ""},
	{"cmd/internal/ends", ""},
	{"cmd/internal/history", ""},
	{"cmd/internal/scales", ""},
}

// skip is a test, or TEST/SUBTEST, that emulation cannot do.
type skip struct{ dir, test, why string }

// Qemu answers a TCP_INFO with one number, and has no netlink of the family SOCK_DIAG.
const (
	noInfo   = "qemu does not pass on TCP_INFO, which counts the bytes of a connection"
	noDiag   = "qemu does not know netlink's SOCK_DIAG"
	replaced = "qemu opens /proc/self/exe by the path, which is another file by then"
)

var skips = [...]skip{
	{"codecs/suite/internal/bed", "TestDispatchCostsHalfACallAtMost", "it compares times, and qemu makes other instructions slow"},
	{"codecs/suite/internal/hostile", "TestHostile/a_death_is_counted,_and_the_inputs_after_it_are_tried", "qemu does not set RLIMIT_AS"},
	{"codecs/suite/internal/hostile", "TestVictimsOfThisBuild", replaced},
	{"frameworks/suite/internal/host", "TestABinaryThatIsBuiltAgain", replaced},
	{"frameworks/suite/internal/host/process", "TestPeakOfAProcess", "qemu maps memory without MAP_POPULATE"},
	{"frameworks/suite/internal/host/sockets", "TestSocketsAreThoseOfTheTables", noDiag},
	{"frameworks/suite/internal/host/sockets", "TestTraffic", noInfo},
	{"frameworks/suite/internal/host/sockets", "TestTrafficOfOtherConnectionsIsNotKnown", noInfo},
	{"frameworks/suite/internal/load", "TestAThousandRanks", "a thousand processes of qemu do not start within the two minutes that they have"},
	{"frameworks/suite/internal/probe", "TestAPartOfAPass", noInfo},
	{"frameworks/tcp", "TestWindows", noInfo},
}

// listed are the directories below the root with tests that are run. If some are asked for, it
// lists what is below these.
func listed(root string, asked []string) (dirs []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "testdata" {
			return err
		}
		dir, _ := filepath.Rel(root, filepath.Dir(path)) // it is below the root
		if strings.HasSuffix(path, "_test.go") && whyLeftOut(dir) == "" && among(asked, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	slices.Sort(dirs)
	if dirs = slices.Compact(dirs); err == nil && len(dirs) == 0 {
		err = fmt.Errorf("nothing is tested below %s", strings.Join(asked, " "))
	}
	return dirs, err
}

// among reports whether a directory is one of those that were asked for, or below one.
func among(asked []string, dir string) bool {
	return len(asked) == 0 || slices.ContainsFunc(asked, func(a string) bool { return below(dir, filepath.Clean(a)) })
}

func below(dir, top string) bool {
	return top == "." || dir == top || strings.HasPrefix(dir, top+"/")
}

// whyLeftOut says why a directory is not tested, "" if it is.
func whyLeftOut(dir string) string {
	deepest := trees[0]
	for _, t := range trees {
		if below(dir, t.dir) && len(t.dir) >= len(deepest.dir) {
			deepest = t
		}
	}
	return deepest.why
}

// skipped is the pattern of -skip for a directory.
func skipped(dir string) string {
	var tests []string
	for _, s := range skips {
		if s.dir == dir {
			tests = append(tests, "^"+strings.ReplaceAll(s.test, "/", "$/^")+"$")
		}
	}
	return strings.Join(tests, "|")
}

// tellSkipped prints what did not run, and why.
func tellSkipped() {
	fmt.Println("left out: variants of frameworks that are not recommended: they would take too long")
	for _, t := range trees {
		if t.why != "" {
			fmt.Printf("left out: %s: %s\n", t.dir, t.why)
		}
	}
	for _, s := range skips {
		fmt.Printf("left out: %s %s: %s\n", s.dir, s.test, s.why)
	}
}
