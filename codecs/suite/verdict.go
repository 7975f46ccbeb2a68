package suite

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/proof"
)

// verdicts are what entries do with messages of one's own, by their IDs.
type verdicts map[string]proof.Verdict

// verdict is the one of an entry. When the first one is asked for, all are proven that -bench
// selects.
func (e *environment) verdict(entry Entry) proof.Verdict {
	if e.verdicts == nil {
		e.verdicts = verdicts{}
		e.prove(e.selected())
	}
	if _, found := e.verdicts[entry.ID()]; !found {
		e.prove([]Entry{entry})
	}
	return e.verdicts[entry.ID()]
}

// prove proves entries, on all CPUs: it takes longer than most benchmarks. Large messages
// are proven by one entry after the other, each of which holds their encodings.
func (e *environment) prove(list []Entry) {
	list = slices.DeleteFunc(slices.Clone(list), e.known)
	if len(list) == 0 {
		return
	}
	kind := e.sample.Kind()
	try := func(entry Entry) *proof.Trial { return proof.Try(entry.own(kind), e.sample) }
	first, others := try(list[0]).Verdict(), list[1:]
	trials := make([]*proof.Trial, len(others))
	each(len(others), e.provers(first), func(i int) { trials[i] = try(others[i]) })
	e.verdicts[list[0].ID()] = first
	for i, entry := range others { // what says where they refuse copies messages that others may encode
		e.verdicts[entry.ID()] = trials[i].Verdict()
	}
}

// known notes the verdict of an entry that says itself that it refuses, and reports whether it
// does.
func (e *environment) known(entry Entry) bool {
	if entry.Refuses != "" {
		e.verdicts[entry.ID()] = proof.Verdict{Refuses: entry.Refuses}
	}
	return entry.Refuses != ""
}

// provers is how many entries are proven at once, by what one of them has encoded.
func (e *environment) provers(v proof.Verdict) int {
	if sum(v.Sizes) > mostEncoded {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// each calls f with each number below n, in this many goroutines.
func each(n, goroutines int, f func(i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range goroutines {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	all.Wait()
}

func sum(list []int) (s int) {
	for _, n := range list {
		s += n
	}
	return s
}

// refuses reports whether an entry cannot take the messages of one's own.
func (e *environment) refuses(entry Entry) bool {
	return e.sample != nil && e.verdict(entry).Refuses != ""
}

// taking are the entries that take what is measured. Of messages of one's own, those are
// left out that -bench does not select, since to prove them takes time.
func (e *environment) taking() []Entry {
	if e.sample == nil {
		return e.entries
	}
	return slices.DeleteFunc(e.selected(), e.refuses)
}

// selected are the entries of which -bench may select lines.
func (e *environment) selected() (list []Entry) {
	for _, entry := range e.entries {
		if selects(testFlag("bench"), entry.Codec) {
			list = append(list, entry)
		}
	}
	return list
}

// notes are lines about the messages of one's own: which serializers, of those that -bench
// selects, refuse them or lose something, and what in the messages makes figures doubtful.
// benchreport reads them.
func (e *environment) notes() string {
	if e.sample == nil {
		return ""
	}
	var text strings.Builder
	var sizes [][]int
	for _, entry := range e.selected() {
		v := e.verdict(entry)
		if v.Refuses != "" {
			fmt.Fprintf(&text, "# refuses: msg=%s: %s: %s\n", e.sample.Name, entry.ID(), v.Refuses)
			continue
		}
		if len(v.Loses) > 0 {
			fmt.Fprintf(&text, "# loses: msg=%s: %s: %s\n", e.sample.Name, entry.ID(), v.Losses())
		}
		sizes = append(sizes, v.Sizes)
	}
	for _, warning := range e.sample.Warnings(sizes) {
		fmt.Fprintf(&text, "# samples: %s\n", warning)
	}
	return text.String()
}

// errRefused says that -bench selects only serializers that refuse the messages of one's
// own.
func (e *environment) errRefused() error {
	list := e.selected()
	if len(list) == 0 || slices.ContainsFunc(list, func(entry Entry) bool { return !e.refuses(entry) }) {
		return nil
	}
	return fmt.Errorf("no serializer takes %s: %s refuses: %s", e.sample.Name, list[0].ID(), e.verdict(list[0]).Refuses)
}

// mostEncoded is what the encodings of the messages that are taken in turn have together at
// most, in bytes. It is more than caches hold.
const mostEncoded = 64 << 20

// taken is how many messages a benchmark takes in turn: fewer of one's own where they are
// large. It is the same number for all entries that are selected, since they are compared.
func (e *environment) taken(entry Entry, data string) int {
	n := bed.Warm
	if data == "cold" {
		n = bed.Cold
	}
	if e.sample == nil {
		return n
	}
	largest := sum(e.verdict(entry).Sizes)
	for _, v := range e.verdicts {
		largest = max(largest, sum(v.Sizes))
	}
	for n > 1 && largest/len(e.sample.List)*n > mostEncoded {
		n /= 2
	}
	return n
}

// sized is how many of n messages, from the first one on, have their sizes averaged: of
// one's own each once, since one may be much larger than another.
func (e *environment) sized(n int) int {
	if e.sample == nil {
		return sizedMessages
	}
	return min(n, bed.Warm, len(e.sample.List))
}

// bracketed is a part of a pattern within which | separates no patterns.
var bracketed = regexp.MustCompile(`\([^()]*\)`)

// selects reports whether a pattern of -bench may select lines of a codec. Of several
// patterns nothing is known.
func selects(bench, codec string) bool {
	elements := strings.Split(bench, "/")
	if len(elements) < 2 || strings.Contains(bracketed.ReplaceAllString(bench, ""), "|") {
		return true
	}
	re, err := regexp.Compile(elements[1])
	return err != nil || re.MatchString("codec="+codec)
}
