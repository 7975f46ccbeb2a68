package history

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/regular"
)

// most is the size of the largest record that is read, in bytes.
const most = 64 << 20

// stored is the text of a record up to its last complete round.
type stored struct {
	text    []byte
	half    int // bytes that stand behind it
	done    int // rounds that are complete
	marks   int // bytes of byte order marks, which are left out
	heading Heading
	shared  map[string]string // other lines of the heading
}

// readStored reads a record's heading, and finds out how far the record goes.
func readStored(file string) (*stored, error) {
	data, err := regular.ReadFile(file, most)
	if err != nil {
		return nil, err
	}
	text, err := lines.Understood(file, data)
	if err != nil {
		return nil, err
	}
	s := &stored{shared: map[string]string{}, marks: len(data) - len(text)}
	data = text
	if err := s.readHeading(data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := s.cut(data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

var ofRound = regexp.MustCompile(`(?m)^# round (\d+) is complete\n`)

// cut leaves out what stands behind the last complete round.
func (s *stored) cut(data []byte) error {
	end := 0
	for _, at := range ofRound.FindAllSubmatchIndex(data, -1) {
		n, err := strconv.Atoi(string(data[at[2]:at[3]]))
		if err != nil || n != s.done+1 {
			return fmt.Errorf("round %s follows round %d: rounds are missing, or were moved", data[at[2]:at[3]], s.done)
		}
		s.done, end = n, at[1]
	}
	if s.done == 0 {
		return errors.New("no round of it is complete")
	}
	s.text, s.half = data[:end], len(data)-end
	for l := range strings.Lines(string(s.text)) {
		s.refusal(l)
	}
	return nil
}

var ofRefusal = regexp.MustCompile(`^# refused (\S+): (.*)`)

func (s *stored) refusal(l string) {
	if found := ofRefusal.FindStringSubmatch(strings.TrimRight(l, "\r\n")); found != nil {
		s.heading.Refused = append(s.heading.Refused, Refusal{foreign.Line(found[1]), foreign.Line(found[2])})
	}
}

// readHeading reads the lines above the units.
func (s *stored) readHeading(data []byte) error {
	own := map[string]string{}
	for raw := range bytes.Lines(data) {
		if bytes.HasPrefix(raw, []byte("Unit ")) || bytes.HasPrefix(raw, []byte("version:")) {
			break
		}
		found := setting.FindStringSubmatch(strings.TrimRight(string(raw), "\r\n"))
		switch {
		case found == nil:
		case reserved(found[1]):
			own[found[1]] = foreign.Line(strings.TrimSpace(found[2]))
		default:
			s.shared[found[1]] = strings.TrimSpace(found[2])
		}
	}
	switch format, known := own["history"]; {
	case !known:
		return errors.New("not a record: it has no line history")
	case format != Format:
		return fmt.Errorf("a record of format %s; this program reads format %s", format, Format)
	}
	return s.heading.parse(own)
}

// parse reads the lines of a heading by their keys.
func (h *Heading) parse(own map[string]string) (err error) {
	if h.Run, err = time.Parse(RunFormat, own["run"]); err != nil {
		return fmt.Errorf("run: %q is no time as %s", own["run"], RunFormat)
	}
	if h.Rounds, err = strconv.Atoi(own["rounds"]); err != nil {
		return fmt.Errorf("rounds: %q is no number", own["rounds"])
	}
	if h.Arguments, err = unquoted(own["arguments"]); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	h.Kind, h.Module, h.Commit, h.Reference = own["kind"], own["module"], own["commit"], own["reference"]
	h.Versions = strings.Fields(own["versions"])
	return h.check()
}

func unquoted(text string) (args []string, err error) {
	for text != "" {
		prefix, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%s is not a list of quoted strings", text)
		}
		arg, _ := strconv.Unquote(prefix) // it is quoted: QuotedPrefix says so
		args, text = append(args, arg), strings.TrimSpace(text[len(prefix):])
	}
	return args, nil
}

// Continue goes on with a record behind its last complete round. What stands behind
// that is cut off as soon as the next round is written.
func Continue(file string) (*Writer, error) {
	s, err := readStored(file)
	if err != nil {
		return nil, err
	}
	if s.marks > 0 {
		return nil, fmt.Errorf("%s: it cannot be gone on with: another program has written byte order marks into it", file)
	}
	w := &Writer{
		File: file, Heading: s.heading, Done: s.done, size: int64(len(s.text)),
		shared: s.shared, last: maps.Clone(s.shared), units: map[string]bool{},
	}
	for l := range strings.Lines(string(s.text)) {
		w.learn(strings.TrimRight(l, "\r\n"))
	}
	return w, nil
}

// learn takes from a line that was written what the lines to come depend on.
func (w *Writer) learn(l string) {
	if fields := strings.Fields(l); len(fields) > 1 && fields[0] == "Unit" {
		w.units[fields[1]] = true
		return
	}
	if found := setting.FindStringSubmatch(l); found != nil {
		if _, in := w.shared[found[1]]; in {
			w.last[found[1]] = strings.TrimSpace(found[2])
		}
	}
}

// Same says in which way another plan differs from the record's, so that it cannot be
// gone on with; "" if it does not. When a run began and what was refused do not count.
func (h Heading) Same(plan Heading) string {
	for _, d := range []struct {
		about      string
		ours, plan string
	}{
		{"kind", h.Kind, plan.Kind},
		{"module", h.Module, plan.Module},
		{"commit", h.Commit, plan.Commit},
		{"reference", h.Reference, plan.Reference},
		{"rounds", strconv.Itoa(h.Rounds), strconv.Itoa(plan.Rounds)},
		{"versions", strings.Join(h.Versions, " "), strings.Join(plan.Versions, " ")},
	} {
		if d.ours != d.plan {
			return fmt.Sprintf("its %s is %q, not %q", d.about, d.ours, d.plan)
		}
	}
	if !slices.Equal(h.Arguments, plan.Arguments) {
		return fmt.Sprintf("its arguments are %s, not %s", quoted(h.Arguments), quoted(plan.Arguments))
	}
	return ""
}
