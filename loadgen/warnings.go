package loadgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen/internal/failure"
	"github.com/rpcbench/rpcbench/loadgen/internal/warning"
)

// Kinds of warnings in Result.Warnings. The text of a warning is the text of its kind, a colon, and
// the figures.
var (
	// ErrGenerator: calls were sent late while a worker was free.
	ErrGenerator = errors.New("the generator was too slow")
	// ErrProcs: the calls themselves, such as the client's work in them, needed the
	// processors (GOMAXPROCS) that would have sent others in time.
	ErrProcs = errors.New("the calls left too few processors to the generator")
	// ErrBehind: calls were sent at a lower rate than they were due.
	ErrBehind = errors.New("the offered rate was not reached")
	// ErrDropped: calls were due and not sent.
	ErrDropped = errors.New("calls were dropped")
	// ErrUnfinished: calls had not returned when Drain was over.
	ErrUnfinished = errors.New("calls did not return")
	// ErrAllFailed: no call succeeded.
	ErrAllFailed = errors.New("every call failed")
	// ErrBusy: other processes needed the CPUs.
	ErrBusy = errors.New("the CPUs were full")
	// ErrHost: the machine is a virtual one, and its host did not let it run for
	// some of the time.
	ErrHost = errors.New("the machine's host took CPU time away")
	// ErrImprecise: a percentile is not known as well as Config.Until asks.
	ErrImprecise = errors.New("a percentile is not known well enough")
	// ErrFewCalls: there were too few calls for a p99, fewer than 1,000.
	ErrFewCalls = errors.New("too few calls")
	// ErrFluctuates: a percentile has no interval, since latency rises and falls
	// too few times in the run to tell how well the percentile is known.
	ErrFluctuates = errors.New("latency fluctuates more slowly than the run is long")
	// ErrStall: in a closed loop a call took so long that an open one would show it in its
	// p99, and here it is one call of many: 100 times p99 and more, 100 ms and 1 % of the
	// run. Its worker made no calls for that time.
	ErrStall = errors.New("percentiles do not show the longest call")
)

func kinds() []error {
	return []error{ErrGenerator, ErrProcs, ErrBehind, ErrDropped, ErrUnfinished, ErrAllFailed, ErrBusy, ErrHost, ErrImprecise, ErrFewCalls, ErrFluctuates, ErrStall, warning.ErrSpread, warning.ErrNotTheRate, warning.ErrFewBatches, warning.ErrShort}
}

// warnings has the Warnings of a Result, and is written as a list of texts.
type warnings []error

// add appends a warning of a kind.
func (w *warnings) add(when bool, kind error, format string, args ...any) {
	if when {
		*w = append(*w, fmt.Errorf("%w: "+format, append([]any{kind}, args...)...))
	}
}

// MarshalJSON returns a list of texts.
func (w warnings) MarshalJSON() ([]byte, error) {
	texts := make([]string, len(w))
	for i, err := range w {
		texts[i] = err.Error()
	}
	return json.Marshal(texts)
}

// UnmarshalJSON reads what MarshalJSON wrote. Each warning keeps its kind.
func (w *warnings) UnmarshalJSON(data []byte) error {
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil || texts == nil {
		*w = nil
		return err
	}
	if more := len(texts) - maxWarnings; more > 0 {
		texts = append(texts[:maxWarnings-1], fmt.Sprint(more+1, " more warnings"))
	}
	*w = make(warnings, len(texts))
	for i, text := range texts {
		(*w)[i] = warningOf(beginning(text, maxWarning))
	}
	return nil
}

// More warnings, and longer ones, than any run has are not read, since they may be of others.
const (
	maxWarnings = 1000
	maxWarning  = 4096 // bytes
)

// beginning returns a text of at most most bytes, without half a character. One that was
// cut ends with "…".
func beginning(text string, most int) string {
	const more = "…"
	if len(text) <= most {
		return text
	}
	return text[:failure.Cut(text, most-len(more))] + more
}

// warningOf finds the kind of a warning by its text. Other text may stand before
// that of the kind, such as the rank that loadmerge adds.
func warningOf(text string) error {
	first, found := len(text), error(nil)
	for _, kind := range kinds() {
		if i := strings.Index(text+": ", kind.Error()+": "); i >= 0 && i < first {
			first, found = i, kind
		}
	}
	if found == nil {
		return errors.New(text)
	}
	return readWarning{text, found}
}

// readWarning is a warning that was read from a file.
type readWarning struct {
	text string
	kind error
}

func (w readWarning) Error() string { return w.text }
func (w readWarning) Unwrap() error { return w.kind }

// fewCalls warns of a p99 beyond which there are fewer than 10 calls.
func fewCalls(sent int64) (w warnings) {
	w.add(!enoughFor(sent, .99), ErrFewCalls, "p99 rests on %d, it needs 1000", sent)
	return w
}
