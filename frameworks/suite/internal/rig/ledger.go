package rig

import (
	"fmt"
	"io"
	"maps"
	"sync"

	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Ledger keeps what a run has to say beside its lines. Entries are by the names of
// cases. The entry of a later round replaces that of an earlier one.
type Ledger struct {
	mu       sync.Mutex
	failed   notes  // what calls failed with
	warned   notes  // why not to trust a case
	memory   notes  // how much memory the client took
	shares   shares // of Bulk
	records  records
	versions map[string]string // of what is measured, by short name
}

// newLedger keeps no records, see keepIn.
func newLedger(versions map[string]string) *Ledger {
	return &Ledger{
		failed: notes{}, warned: notes{}, memory: notes{},
		versions: versions,
	}
}

// failedWith enters what calls of a case failed with; "" for nothing.
func (l *Ledger) failedWith(name, text string) { l.enter(l.failed, name, text) }

// warn enters why a case is not to be trusted; no text for nothing.
func (l *Ledger) warn(name string, texts ...string) { l.enter(l.warned, name, texts...) }

// tookMemory enters how much memory the client of a case took; "" for little.
func (l *Ledger) tookMemory(name, text string) { l.enter(l.memory, name, text) }

func (l *Ledger) enter(n notes, name string, texts ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n.set(name, texts)
}

// share enters what a case of Bulk carried.
func (l *Ledger) share(c throughput) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shares.note(c)
}

// keepIn has records written into a directory.
func (l *Ledger) keepIn(dir string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.records.open(dir)
}

// record enters what a round of calls measured.
func (l *Ledger) record(r *record.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.round(r)
}

// Begin is called when the first round of a line begins, whose calls are one. The
// last round before was then the one that its line is about.
func (l *Ledger) Begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.write()
}

// Drop takes back what was entered of a case that has no line: a round before the
// last has more to say against itself.
func (l *Ledger) Drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range []notes{l.failed, l.warned, l.memory} {
		delete(n, name)
	}
	l.records.waiting = nil
}

// known are the versions of what is measured.
func (l *Ledger) known() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.versions)
}

// correct takes in the versions that a server reports, and returns those that
// are not what was known so far: they are what is measured.
func (l *Ledger) correct(reported map[string]string) (changed map[string]string) {
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

// Close prints what was wrong with cases, after all lines so as to split none,
// and returns the exit code; strict makes one of a warning. benchstat passes
// over lines with #.
func (l *Ledger) Close(w io.Writer, strict bool) (exitCode int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if strict && len(l.warned) > 0 || len(l.failed) > 0 {
		exitCode = 1
	}
	l.shares.print(w)
	l.memory.print(w, "memory")
	l.warned.sumUp(w, "warning")
	l.failed.print(w, "failed calls")
	if err := l.records.close(); err != nil {
		fmt.Fprintf(w, "# %v\n", err)
		exitCode = 1
	}
	return exitCode
}
