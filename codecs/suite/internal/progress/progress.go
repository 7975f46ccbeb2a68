// Package progress tells how long the cases of a run take, and while they run how many
// are left.
package progress

import (
	"context"
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

// Progress tells what is left of a run. The zero value tells nothing.
type Progress struct {
	out   io.Writer // nil if nobody reads it
	cases int
	began time.Time // when the first case did
	told  time.Time // when progress was told last
}

// Flags returns the value of a flag of package testing, by its name in go test.
type Flags func(name string) string

// seldom is how often progress is told, since it may stand among the result lines.
const seldom = 30 * time.Second

// longRun is what a run may take without being told how to shorten it.
const longRun = 2 * time.Minute

// patience is how long counting the cases may take. After that a run goes on without
// progress.
const patience = 10 * time.Second

// New counts the cases if a person sees progress, and tells how long they take. Another
// process counts, since that means to run the benchmarks once without their leaves.
func New(flags Flags, data string) Progress {
	p := Progress{out: terminal.Stderr()}
	if p.out == nil {
		return Progress{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	list, err := build.Command(ctx, countArgs(flags, data)...)
	if err != nil {
		return Progress{} // nobody needs it
	}
	list.Env = environ.Child(os.Environ())
	names, err := list.Output()
	if err != nil {
		return Progress{} // the run itself says why
	}
	p.cases = len(strings.Fields(string(names)))
	Announce(p.out, p.cases, flags)
	return p
}

// countArgs are the flags of the process that counts the cases: those that select
// them, and none that writes a file, as -cpuprofile does.
func countArgs(flags Flags, data string) []string {
	args := []string{"-cases", "-test.run=^$", "-test.benchtime=1x", "-data=" + data}
	for _, name := range []string{"bench", "skip", "cpu"} {
		args = append(args, "-test."+name+"="+flags(name))
	}
	return args
}

// Announce says how long some cases take; nothing of none.
func Announce(w io.Writer, cases int, flags Flags) {
	if cases == 0 {
		return
	}
	takes := time.Duration(cases) * expected(flags("benchtime"), flags("count"))
	fmt.Fprintf(w, "# %d cases, about %v\n", cases, takes.Round(time.Second)) // benchrounds reads this
	if takes > longRun {
		fmt.Fprintln(w, "# for less: a shorter -benchtime, as 0.05s, a narrower -bench such as 'Codec/codec=(json|protobuf)/msg=bench'")
	}
}

// What the parts of a case take, about: a guess before the run, which then measures them.
const (
	setUpTime = 20 * time.Millisecond // messages, their encodings and checks
	opTime    = 3 * time.Microsecond
)

// expected is what a case takes. Package testing approaches -benchtime=1s by rounds
// of growing b.N, which together take half as long again.
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

// Tell is called before a case begins, when no line is half printed. done is the number of
// cases before it.
func (p *Progress) Tell(done int) {
	now := time.Now()
	switch {
	case p.cases == 0:
	case done == 0:
		p.began, p.told = now, now
	case now.Sub(p.told) >= seldom:
		p.told = now
		left := now.Sub(p.began) / time.Duration(done) * time.Duration(max(p.cases-done, 0))
		fmt.Fprintf(p.out, "# %d of %d cases done, %v left\n", done, p.cases, left.Round(time.Second))
	}
}
