package suite

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/environ"
	build "github.com/rpcbench/rpcbench/codecs/suite/internal/self"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/terminal"
)

// progress tells before the first case how long all take, and while they run how
// many are left. The zero value tells nothing.
type progress struct {
	view  terminal.View
	cases int
	began time.Time // when the first case did
	told  time.Time // when progress was told last
}

// seldom is how often progress is told between result lines.
const seldom = 30 * time.Second

// longRun is what a run may take without being told how to shorten it.
const longRun = 2 * time.Minute

// newProgress counts the cases if a person sees progress. Another process does so,
// since counting runs the benchmarks once without their leaves.
func newProgress() (p progress) {
	if p.view = terminal.Find(os.Stdout, os.Stderr); p.view.Writer == nil {
		return progress{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	list, err := build.Command(ctx, countArgs(testFlag, env.dataList)...)
	if err != nil {
		return progress{} // nobody needs it
	}
	list.Env = environ.Child(os.Environ())
	names, err := list.Output()
	if err != nil {
		return progress{} // the run itself says why
	}
	p.cases = len(strings.Fields(string(names)))
	return p
}

// patience is how long counting the cases may take. A run goes on without progress
// after that.
const patience = 10 * time.Second

// countArgs are the flags of the process that counts the cases: those that select
// them, and none that writes a file, as -cpuprofile does.
func countArgs(testFlag func(name string) string, data string) []string {
	args := []string{"-cases", "-test.run=^$", "-test.benchtime=1x", "-data=" + data}
	for _, name := range []string{"bench", "skip", "cpu"} {
		args = append(args, "-test."+name+"="+testFlag(name))
	}
	return args
}

// announce says how long some cases take.
func announce(w io.Writer, cases int) {
	if cases == 0 {
		return
	}
	takes := time.Duration(cases) * expected(testFlag("benchtime"), testFlag("count"))
	fmt.Fprintf(w, "# %d cases, about %v\n", cases, takes.Round(time.Second)) // benchrounds reads this
	if takes > longRun {
		fmt.Fprintln(w, "# for less: a shorter -benchtime, as 0.05s, a narrower -bench such as 'Codec/codec=(json|protobuf)/msg=bench'")
	}
}

func testFlag(name string) string { return flag.Lookup("test." + name).Value.String() }

// What the parts of a case take, about. While it goes on, a run measures them.
const (
	setUpTime = 20 * time.Millisecond // messages, their encodings and checks
	opTime    = 3 * time.Microsecond
)

// expected is what a case takes. Package testing approaches -benchtime=1s by rounds
// of more and more operations, which together take half as long again.
func expected(benchtime, count string) time.Duration {
	repeats, _ := strconv.Atoi(count)
	each, _ := time.ParseDuration(benchtime)
	each = each * 3 / 2
	if ops, found := strings.CutSuffix(benchtime, "x"); found {
		n, _ := strconv.Atoi(ops)
		each = time.Duration(n) * opTime
	}
	return setUpTime + time.Duration(repeats)*each
}

// tell is called when the next case begins and no line is half printed.
func (p *progress) tell(done int) {
	now := time.Now()
	switch {
	case p.cases == 0:
	case done == 0:
		p.began, p.told = now, now
	case p.view.Apart || now.Sub(p.told) >= seldom:
		p.told = now
		left := now.Sub(p.began) / time.Duration(done) * time.Duration(max(p.cases-done, 0))
		fmt.Fprintf(p.view, "# %d of %d cases done, %v left\n", done, p.cases, left.Round(time.Second))
	}
}
