// Package ledger keeps what is told after the lines of a run: failed calls, warnings, limits,
// notes and shares. It writes the records of -results
// and -anatomy.
package ledger

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/foreign"
	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Ledger keeps what is reported after the lines of a run. It has an entry for each case,
// by name. A later round replaces the entry of an earlier one.
type Ledger struct {
	mu       sync.Mutex
	failed   notes            // the errors of calls
	excused  map[string]notes // errors that are no failure, by the excuse
	warned   notes            // what makes figures wrong
	limited  notes            // which side limited a case
	strayed  notes            // connections that are not those that the case asked for, a warning too
	unequal  notes            // those of them that fail a ranked row
	few      notes            // too few calls for a p99
	absent   notes            // figures that a line lacks
	dealt    notes            // which server handled which share of the calls
	hosts    notes            // what each of several machines did
	memory   notes            // how much memory the client took
	shares   shares           // throughput of Bulk
	records  records
	anatomy  records           // with the profiles of both sides
	lost     []error           // why things that were asked for were not written
	versions map[string]string // of the measured modules, by short name
}

// New returns a ledger that writes no records until keepIn is called.
func New(versions map[string]string) *Ledger {
	return &Ledger{
		failed: notes{}, excused: map[string]notes{}, warned: notes{}, limited: notes{}, strayed: notes{}, unequal: notes{}, few: notes{}, absent: notes{}, memory: notes{}, dealt: notes{}, hosts: notes{},
		versions: versions,
	}
}

// FailedWith enters the errors of a case's calls; "" if there were none.
func (l *Ledger) FailedWith(name, text string) {
	l.forgive(name)
	l.enter(l.failed, name, text)
}

// ExcuseFailed enters the errors of a case's calls, "" if there were none, that are no failure.
// The excuse says of which calls that is so, as in "beyond the capacity".
func (l *Ledger) ExcuseFailed(name, excuse, text string) {
	l.FailedWith(name, "")
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.excused[excuse] == nil {
		l.excused[excuse] = notes{}
	}
	l.excused[excuse].set(name, []string{text})
}

// forgive removes what was excused.
func (l *Ledger) forgive(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range l.excused {
		delete(n, name)
	}
}

// Warn enters what makes figures of a case wrong; without texts it removes that.
func (l *Ledger) Warn(name string, texts ...string) { l.enter(l.warned, name, texts...) }

// Stray enters in which way the connections of a case are not those that it asked for; ""
// if they are. Where that fails the case, the exit code is 1.
func (l *Ledger) Stray(name, text string, fails bool) {
	l.enter(l.unequal, name)
	if fails && text != "" {
		text += "; so a ranked row fails"
		l.enter(l.unequal, name, text)
	}
	l.enter(l.strayed, name, text)
}

// HasNoP99 enters why the line of a case has no p99; "" if it has one.
func (l *Ledger) HasNoP99(name, why string) { l.enter(l.few, name, why) }

// HasNoFigures enters which figures the line of a case lacks, and why; without texts it has
// all.
func (l *Ledger) HasNoFigures(name string, why ...string) { l.enter(l.absent, name, why...) }

// TookMemory enters how much memory the client of a case took; "" if it was little.
func (l *Ledger) TookMemory(name, text string) { l.enter(l.memory, name, text) }

// DealtOut enters how the calls of a case were dealt out to its servers.
func (l *Ledger) DealtOut(name string, texts ...string) { l.enter(l.dealt, name, texts...) }

// Hosts enters what each of the machines of a case's servers did.
func (l *Ledger) Hosts(name string, texts ...string) { l.enter(l.hosts, name, texts...) }

func (l *Ledger) enter(n notes, name string, texts ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.set(name, texts)
}

// Share enters the throughput of a case of Bulk.
func (l *Ledger) Share(c Throughput) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shares.note(c)
}

// KeepIn has the records written into a directory, and those that have profiles beside them
// into another; "" for none.
func (l *Ledger) KeepIn(results, anatomy string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return cmp.Or(l.records.open("results", results), l.anatomy.open("anatomy", anatomy))
}

// Record enters what a round of calls measured, together and by each rank.
func (l *Ledger) Record(r *record.Record, parts []*record.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.round(r, parts, nil)
}

// Anatomy enters what a round of calls measured, and the profiles of both sides by what the
// names of their files end in.
func (l *Ledger) Anatomy(r *record.Record, profiles map[string][]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.anatomy.round(r, nil, profiles)
}

// Begin is called when the first round of a line begins, which makes one call. The
// previous round was then the last one of its line.
func (l *Ledger) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.write()
	l.anatomy.write()
}

// NoLine is called when a round of a case has failed, so that no line is printed. The records of its
// earlier rounds are dropped, and what there was to say of the figures.
func (l *Ledger) NoLine(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.waiting, l.anatomy.waiting = nil, nil
	for _, n := range []notes{l.limited, l.few, l.absent, l.memory, l.dealt, l.hosts} {
		delete(n, foreign.Line(name))
	}
}

// Drop removes the entries of a case that prints no line. They may come from an early
// round, which gives more reasons for warnings than the last one.
func (l *Ledger) Drop(name string) {
	l.forgive(name)
	l.NoLine(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range []notes{l.failed, l.warned, l.strayed, l.unequal} {
		delete(n, name)
	}
}

// Lose enters why something that was asked for was not written, or what should have ended
// has not. The exit code is then 1. Several servers may give the same reason, which is printed
// once.
func (l *Ledger) Lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.ContainsFunc(l.lost, func(known error) bool { return known.Error() == err.Error() }) {
		l.lost = append(l.lost, err)
	}
}

// Known returns the versions of the measured modules.
func (l *Ledger) Known() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.versions)
}

// Correct replaces versions by those that a server reports, since the server is what is
// measured. It returns those that have changed.
func (l *Ledger) Correct(reported map[string]string) (changed map[string]string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	changed = map[string]string{}
	for name, version := range reported {
		if l.versions[name] != version {
			l.versions[name], changed[name] = version, version
		}
	}
	return changed
}

// Close prints what was wrong with cases, and returns the exit code. With strict a
// warning makes it 1. Close is called after all result lines, so that it splits none.
// Its lines begin with #, which benchstat ignores.
func (l *Ledger) Close(w io.Writer, strict bool) (exitCode int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, texts := range l.strayed {
		l.warned.set(name, append(slices.Clone(l.warned[name]), texts...))
	}
	if strict && len(l.warned) > 0 || len(l.failed)+len(l.unequal) > 0 {
		exitCode = 1
	}
	l.shares.print(w)
	l.memory.print(w, "memory")
	l.dealt.print(w, "servers")
	l.hosts.print(w, "hosts")
	l.few.sumUp(w, "no p99")
	l.absent.sumUp(w, "no figures")
	l.limited.printLimits(w)
	l.warned.sumUp(w, "warning")
	for _, excuse := range slices.Sorted(maps.Keys(l.excused)) {
		l.excused[excuse].print(w, excuse)
	}
	l.failed.print(w, "failed calls")
	for _, err := range append(l.lost, l.records.close(), l.anatomy.close()) {
		if err != nil {
			fmt.Fprintf(w, "# %v\n", foreign.Error(err))
			exitCode = 1
		}
	}
	return exitCode
}
