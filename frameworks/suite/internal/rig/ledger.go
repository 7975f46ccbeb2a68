package rig

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/rpcbench/rpcbench/loadgen/record"
)

// Ledger keeps what a run has to say beside its lines. Entries are by the names of
// cases. The entry of a later round replaces that of an earlier one.
type Ledger struct {
	mu       sync.Mutex
	failed   map[string]string // what calls failed with
	warned   map[string]string // why not to trust a case
	memory   map[string]string // how much memory the client took
	shares   shares            // of Bulk
	records  records
	versions map[string]string // of what is measured, by short name
}

// newLedger keeps no records, see keepIn.
func newLedger(versions map[string]string) *Ledger {
	return &Ledger{
		failed: map[string]string{}, warned: map[string]string{}, memory: map[string]string{},
		versions: versions,
	}
}

// failedWith enters what calls of a case failed with; "" for nothing.
func (l *Ledger) failedWith(name, text string) { l.enter(l.failed, name, text) }

// warn enters why a case is not to be trusted; "" for nothing.
func (l *Ledger) warn(name, text string) { l.enter(l.warned, name, text) }

// tookMemory enters how much memory the client of a case took; "" for little.
func (l *Ledger) tookMemory(name, text string) { l.enter(l.memory, name, text) }

func (l *Ledger) enter(notes map[string]string, name, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text == "" {
		delete(notes, name)
		return
	}
	notes[name] = text
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
func (l *Ledger) record(r *record.Record, calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records.round(r, calls)
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
	printNotes(w, "memory", l.memory)
	printNotes(w, "warning", l.warned)
	printNotes(w, "failed calls", l.failed)
	if err := l.records.close(); err != nil {
		fmt.Fprintf(w, "# %v\n", err)
		exitCode = 1
	}
	return exitCode
}

func printNotes(w io.Writer, what string, notes map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(notes)) {
		fmt.Fprintf(w, "# %s: %s: %s\n", what, name, notes[name])
	}
}
