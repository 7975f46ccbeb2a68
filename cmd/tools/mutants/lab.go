package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// lab has copies of the repository, in which mutants are planted.
type lab struct {
	ctx    context.Context // of the run
	dir    string
	copies chan string   // for tests; there is one more, in which mutants are compiled
	slack  time.Duration // beyond five times what tests took without a mutant

	mu   sync.Mutex
	took map[string]time.Duration // what stages took without a mutant
}

// forgetRepository takes what git tells a hook of its repository and index out of the
// environment: children would take them for those of a copy, and tests for their own.
func forgetRepository() {
	names, err := exec.Command("git", "rev-parse", "--local-env-vars").Output()
	if err != nil { // newLab says why git does not run
		return
	}
	for name := range strings.FieldsSeq(string(names)) {
		os.Unsetenv(name)
	}
}

// newLab clones what the repository has committed.
func newLab(ctx context.Context, root string, copies int) (*lab, error) {
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, dir: dir, copies: make(chan string, copies), slack: time.Minute, took: map[string]time.Duration{}}
	for i := range copies + 1 {
		if out, err := exec.Command("git", "-c", "core.hooksPath="+os.DevNull, "clone", "-q", root, l.copy(i)).CombinedOutput(); err != nil {
			l.close()
			return nil, fmt.Errorf("git clone: %w: %s", err, out)
		}
	}
	for i := range copies {
		l.copies <- l.copy(i)
	}
	return l, nil
}

func (l *lab) copy(i int) string { return filepath.Join(l.dir, strconv.Itoa(i)) }

func (l *lab) close() { os.RemoveAll(l.dir) }

// try tries the mutants that are drawn, or only lists them.
func (l *lab) try(c config, sites []site, known map[string]string) (sum tally, err error) {
	mutants, err := l.mutants(c, sites)
	if err != nil {
		return sum, err
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	for m := range mutants {
		if c.list {
			fmt.Println(m)
			continue
		}
		copied := <-l.copies
		if l.ctx.Err() != nil {
			break
		}
		group.Go(func() {
			v, by, e := l.judge(copied, m, c.stages, known)
			l.copies <- copied
			mu.Lock()
			defer mu.Unlock()
			sum[v]++
			err = errors.Join(err, e)
			fmt.Printf("%d %v: %v: %s\n", sum.total(), m, v, by)
		})
	}
	group.Wait()
	return sum, errors.Join(err, l.ctx.Err())
}

// mutants draws them, or finds those that are wanted.
func (l *lab) mutants(c config, sites []site) (iter.Seq[mutant], error) {
	if c.only != "" {
		list, err := only(strings.Split(c.only, ","), sites)
		return slices.Values(list), err
	}
	sites = draw(c.seed, sites)
	return func(yield func(mutant) bool) {
		taken := map[string]bool{}
		for _, q := range quotas(c) {
			if !l.fill(q, c.seed, sites, taken, yield) {
				return
			}
		}
	}, nil
}

// fill yields as many mutants as a quota has.
func (l *lab) fill(q quota, seed uint64, sites []site, taken map[string]bool, yield func(mutant) bool) bool {
	for _, s := range sites {
		if q.n == 0 {
			return true
		}
		if !q.has(s) || taken[s.id()] {
			continue
		}
		taken[s.id()] = true
		if m, ok := l.first(l.copy(cap(l.copies)), seed, s); ok {
			q.n--
			if !yield(m) {
				return false
			}
		}
	}
	return true
}

// only finds mutants by their IDs.
func only(ids []string, sites []site) (list []mutant, err error) {
	for _, s := range sites {
		for _, c := range s.changes {
			if m := (mutant{s, c}); slices.Contains(ids, m.id()) {
				list = append(list, m)
			}
		}
	}
	if len(list) != len(ids) {
		return nil, fmt.Errorf("-only: %d of %d mutants are there: their statements have changed", len(list), len(ids))
	}
	return list, nil
}

// first is the first change of a site that compiles.
func (l *lab) first(copied string, seed uint64, s site) (mutant, bool) {
	for _, c := range order(seed, s) {
		m := mutant{s, c}
		restore, err := m.plant(copied)
		if err != nil {
			return m, false
		}
		dir, pkg := module(copied, s.file)
		_, err = l.golang(copied, time.Minute*10, dir, "build", "-o", os.DevNull, pkg)
		restore()
		if err == nil {
			return m, true
		}
	}
	return mutant{}, false
}

// plant writes the mutant into a copy. restore removes it.
func (m mutant) plant(copied string) (restore func(), err error) {
	path := filepath.Join(copied, m.file)
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	changed := string(source[:m.from]) + m.change.text + string(source[m.to:])
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		return nil, err
	}
	return func() { os.WriteFile(path, source, 0o644) }, nil
}

// judge runs the tests until one fails. It says which.
func (l *lab) judge(copied string, m mutant, stages int, known map[string]string) (verdict, string, error) {
	for _, s := range slices.Concat(stagesOf(copied, m.file)[:stages]...) {
		out, alive, err := l.survives(copied, m, s)
		if err != nil {
			return survived, "not tried: " + err.Error(), err
		}
		if !alive {
			return killed, culprit(out), nil
		}
	}
	if reason, ok := known[m.id()]; ok {
		return equivalent, reason, nil
	}
	return survived, m.within, nil
}

// survives reports whether tests pass with a mutant. A test that fails is run again,
// alone: the machine may have been too busy for it, and then all are.
func (l *lab) survives(copied string, m mutant, s stage) (out string, alive bool, err error) {
	limit, err := l.limit(copied, s)
	if err != nil {
		return "", false, err
	}
	restore, err := m.plant(copied)
	if err != nil {
		return "", false, err
	}
	defer restore()
	for range tries {
		out, failed := l.test(copied, s, limit)
		name := culprit(out)
		if failed != nil && strings.HasPrefix(name, "Test") {
			if _, again := l.test(copied, s.alone(name), limit); again == nil {
				continue
			}
		}
		return out, failed == nil, l.ctx.Err()
	}
	return "", true, l.ctx.Err()
}

// tries is how often all tests run again after one that failed, and alone did not.
const tries = 3

// limit is how long tests may take with a mutant: five times what they took without,
// and the slack. It is an error if they fail without.
func (l *lab) limit(copied string, s stage) (time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprint(s)
	if _, ok := l.took[key]; !ok {
		began := time.Now()
		if out, err := l.test(copied, s, time.Hour); err != nil {
			return 0, fmt.Errorf("go test %v in %s, without a mutant: %w: %s", s.args, s.dir, err, culprit(out))
		}
		l.took[key] = time.Since(began)
	}
	return 5*l.took[key] + l.slack, nil
}

// golang runs go in a directory of a copy.
func (l *lab) golang(copied string, limit time.Duration, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(l.ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(copied, dir)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.WaitDelay = 10 * time.Second // for processes that a test left with its output open
	end := grouped(cmd)
	defer end()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(panic: test timed out)|^(panic: .*|fatal error: .*)|^FAIL\s+(\S+)`)

// culprit is what failed first.
func culprit(out string) string {
	for _, part := range slices.Backward(failure.FindStringSubmatch(out)) {
		if part != "" {
			return part
		}
	}
	return "the end of go test"
}
