package history

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rpcbench/rpcbench/cmd/internal/folder"
	"github.com/rpcbench/rpcbench/cmd/internal/portable"
)

// Writer writes a record, a round at a time.
type Writer struct {
	// File is the name of the record. It exists as soon as its first round is written.
	File string
	// Heading is what the record says of itself.
	Heading Heading
	// Done is the number of rounds that are complete.
	Done int

	size   int64             // of the rounds that are complete
	shared map[string]string // the configuration lines of the heading that the machine and the binaries gave
	last   map[string]string // of these, what was last written
	units  map[string]bool   // that have a line
}

// Create begins a record in a directory, which is made if there is none. The name and
// the time of the run are the name of its file.
func Create(dir, name string, h Heading) (*Writer, error) {
	if err := cmp.Or(h.check(), os.MkdirAll(dir, 0o755)); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, FileName(name, h.Run))
	if _, err := os.Stat(file); err == nil {
		return nil, fmt.Errorf("%s: the record exists already", file)
	}
	return &Writer{File: file, Heading: h, units: map[string]bool{}, last: map[string]string{}}, nil
}

// extension ends the names of records' files.
const extension = ".txt"

// FileName is the name of the file of a record, by the name and the time of the run, on any
// system.
func FileName(name string, run time.Time) string {
	end := "-" + run.UTC().Format(RunFormat) + extension
	return portable.Name(name, portable.Most-len(end)) + end
}

// Begun lists the records of a name in a directory, the earliest first. Those of before names
// were portable have the name as it is.
func Begun(dir, name string) (list []string) {
	files, _, _ := folder.Files(dir, extension) // there may be no directory yet
	for _, file := range files {
		base := filepath.Base(file)
		at := len(base) - len("-"+RunFormat+extension)
		if at < 0 {
			continue
		}
		run, err := time.Parse("-"+RunFormat+extension, base[at:])
		if err == nil && (base[:at] == name || base == FileName(name, run)) {
			list = append(list, file)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		return strings.Compare(a[len(a)-len(RunFormat+extension):], b[len(b)-len(RunFormat+extension):])
	})
	return list
}

// Round appends a whole round, from 1. What is there of the file stays as it was if
// that fails. An error that is ErrMachine says that a process was measured elsewhere than
// round 1.
func (w *Writer) Round(n int, processes []Process) error {
	if n != w.Done+1 {
		return fmt.Errorf("%s: round %d cannot follow round %d", w.File, n, w.Done)
	}
	next := *w
	text, err := next.round(n, processes)
	if err == nil {
		err = next.append(text)
	}
	if err == nil {
		*w = next
	}
	return err
}

// ErrMachine is the cause if a round was measured on another machine, or with another Go.
var ErrMachine = errors.New("a record is of one machine and one Go")

// round is the text of a round; the first has the heading before it.
func (w *Writer) round(n int, processes []Process) (string, error) {
	var b strings.Builder
	all := make([]printed, len(processes))
	for i, p := range processes {
		if err := checkName(p.Version); err != nil {
			return "", err
		}
		all[i] = parsePrinted(p.Output)
	}
	w.last, w.units = maps.Clone(w.last), maps.Clone(w.units)
	if n == 1 {
		b.WriteString(w.heading(all))
	}
	for i, p := range processes {
		if err := w.sameMachine(all[i]); err != nil {
			return "", fmt.Errorf("%s: round %d, %s: %w", w.File, n, p.Version, err)
		}
		fmt.Fprintf(&b, "version: %s\nround: %d\n", p.Version, n)
		if p.Adapter != "" {
			fmt.Fprintf(&b, "adapter: %s\n", filepath.ToSlash(p.Adapter))
		}
		b.WriteString(w.process(all[i]))
	}
	w.Done = n
	return b.String() + complete(n), nil
}

// heading is the text above all processes.
func (w *Writer) heading(all []printed) string {
	var b strings.Builder
	b.WriteString(w.Heading.text())
	w.shared = shared(all)
	for _, key := range slices.Sorted(maps.Keys(w.shared)) {
		b.WriteString(line(key, w.shared[key]))
	}
	w.last = maps.Clone(w.shared)
	for _, p := range all {
		b.WriteString(w.newUnits(p))
	}
	if len(w.units) == 0 { // a process begins behind the units
		b.WriteString("Unit ns/op better=lower\n")
	}
	return b.String()
}

// shared are the configuration lines that all have alike.
func shared(all []printed) map[string]string {
	same := map[string]string{}
	for i, p := range all {
		if i == 0 {
			same = maps.Clone(p.config)
		}
		maps.DeleteFunc(same, func(key, value string) bool { return p.config[key] != value })
	}
	return same
}

func line(key, value string) string { return key + ": " + value + "\n" }

// newUnits are the lines of units that have none yet. The first line of a unit is
// kept, whatever others say of it: benchfmt refuses a text that contradicts itself.
func (w *Writer) newUnits(p printed) (text string) {
	for _, l := range p.units {
		if unit := strings.Fields(l)[1]; !w.units[unit] {
			w.units[unit] = true
			text += l + "\n"
		}
	}
	return text
}

// sameMachine says where a process was measured elsewhere than those before.
func (w *Writer) sameMachine(p printed) error {
	for _, key := range MachineKeys() {
		old, now := w.shared[key], p.config[key]
		if old != "" && now != "" && old != now {
			return fmt.Errorf("%s is %q and was %q: %w", key, now, old, ErrMachine)
		}
	}
	return nil
}

// process is the text of a process behind its version, round and adapter.
func (w *Writer) process(p printed) string {
	var b strings.Builder
	b.WriteString(w.newUnits(p))
	for _, key := range p.keys {
		if _, in := w.shared[key]; !in {
			b.WriteString(line(key, p.config[key]))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(w.shared)) {
		if value := p.config[key]; value != w.last[key] {
			b.WriteString(line(key, value)) // an empty one takes back what is said above
			w.last[key] = value
		}
	}
	for _, l := range p.body {
		b.WriteString(l + "\n")
	}
	if !p.ended { // it was killed: the next process must not continue it
		b.WriteString("FAIL\n")
	}
	return b.String()
}

// append writes text behind the rounds that are complete.
func (w *Writer) append(text string) error {
	flags := os.O_WRONLY
	if w.size == 0 {
		flags |= os.O_CREATE | os.O_EXCL
	}
	file, err := os.OpenFile(w.File, flags, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()          // again, after an error
	err = file.Truncate(w.size) // of what was written by half
	if err == nil {
		_, err = file.WriteAt([]byte(text), w.size)
	}
	if err = cmp.Or(err, file.Sync()); err != nil {
		return errors.Join(err, file.Truncate(w.size))
	}
	w.size += int64(len(text))
	return file.Close()
}

// printed is what a process printed, taken apart.
type printed struct {
	units  []string
	keys   []string          // in their order
	config map[string]string // the last value of each key
	body   []string          // results, notes and the end, as they are
	ended  bool              // with PASS or FAIL
}

// setting is a configuration line, or a comment that reports read as one.
var setting = regexp.MustCompile(`^((?:# (?:rank|version-key|pin-cores))|[a-z][^\sA-Z:]*):(?:[ \t]+(.*))?$`)

// parsePrinted leaves out a last line without an end: it may be half a result.
func parsePrinted(output []byte) printed {
	p := printed{config: map[string]string{}}
	text := string(output)
	for l := range strings.Lines(text[:strings.LastIndexByte(text, '\n')+1]) {
		l = strings.TrimRight(l, "\r\n")
		key := setting.FindStringSubmatch(l)
		switch {
		case l == "" || ours.MatchString(l) || !utf8.ValidString(l):
		case strings.HasPrefix(l, "Unit ") && len(strings.Fields(l)) > 1:
			p.units = append(p.units, l)
		case key != nil:
			p.set(key[1], strings.TrimSpace(key[2]))
		default:
			p.ended = p.ended || l == "PASS" || l == "FAIL"
			p.body = append(p.body, l)
		}
	}
	return p
}

func (p *printed) set(key, value string) {
	if reserved(key) || value == "" {
		return
	}
	if _, known := p.config[key]; !known {
		p.keys = append(p.keys, key)
	}
	p.config[key] = value
}
