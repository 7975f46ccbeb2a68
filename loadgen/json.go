package loadgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// plainResult is Result with its keys in JSON. It has the same fields in the
// same order, or the conversions do not compile: none can be forgotten.
type plainResult struct {
	Closed  bool          `json:"closed"`
	Elapsed time.Duration `json:"elapsed_ns"`

	Due     int64 `json:"due"`
	Sent    int64 `json:"sent"`
	OK      int64 `json:"ok"`
	Failed  int64 `json:"failed"`
	Dropped int64 `json:"dropped"`

	Response Histogram `json:"response,omitzero"`
	Service  Histogram `json:"service,omitzero"`
	Lag      Histogram `json:"lag,omitzero"`
	Errors   Histogram `json:"errors,omitzero"`

	ErrorKinds []ErrorKind   `json:"error_kinds,omitzero"`
	MaxBacklog int64         `json:"max_backlog"`
	MaxLag     time.Duration `json:"max_lag_ns"`

	Confidence []Confidence `json:"confidence,omitzero"`

	Series   []Interval `json:"series,omitzero"`
	Warnings []error    `json:"-"`
}

// jsonResult replaces the Warnings, which are interfaces.
type jsonResult struct {
	plainResult
	Warnings []string `json:"warnings,omitzero"`
}

// MarshalJSON returns r without loss: UnmarshalJSON gives an equal Result. The
// keys are closed, due, sent, ok, failed, dropped, max_backlog, and in
// nanoseconds elapsed_ns and max_lag_ns; response, service, lag and errors are
// strings, see Histogram.MarshalText; error_kinds is a list of text and count,
// confidence of quantile, low_ns and high_ns, series of start_ns, ok, failed, p50_ns, p99_ns and max_ns, warnings of texts.
// What is empty of these lists and histograms, and a percentile that is 0, may
// be missing. Bytes of a text that are not UTF-8 are replaced.
func (r Result) MarshalJSON() ([]byte, error) {
	j := jsonResult{plainResult: plainResult(r)}
	if r.Warnings != nil {
		j.Warnings = make([]string, len(r.Warnings))
	}
	for i, w := range r.Warnings {
		j.Warnings[i] = w.Error()
	}
	return json.Marshal(j)
}

// UnmarshalJSON replaces r by what MarshalJSON wrote. Of a warning only the
// text is left, and whether it is ErrFewCalls. Counts that do not add up are an
// error, and r then stays as it was; keys that are not known are not.
func (r *Result) UnmarshalJSON(data []byte) error {
	var j jsonResult
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("loadgen: a result: %w", err)
	}
	read := Result(j.plainResult)
	if j.Warnings != nil {
		read.Warnings = make([]error, len(j.Warnings))
	}
	for i, text := range j.Warnings {
		read.Warnings[i] = warningOf(text)
	}
	if err := read.check(); err != nil {
		return err
	}
	*r = read
	return nil
}

// warningOf returns the warning that has the text.
func warningOf(text string) error {
	if rest, ok := strings.CutPrefix(text, ErrFewCalls.Error()+": "); ok {
		return fmt.Errorf("%w: %s", ErrFewCalls, rest)
	}
	return errors.New(text)
}

// check says which of the sums that always hold does not.
func (r *Result) check() error {
	switch {
	case min(r.Due, r.Sent, r.OK, r.Failed, r.Dropped) < 0 || r.Due > maxCount:
		return fmt.Errorf("loadgen: a result whose counts are not from 0 to %d", int64(maxCount))
	case r.Sent != r.OK+r.Failed || r.Due != r.Sent+r.Dropped:
		return errors.New("loadgen: a result in which sent is not ok + failed, or due not sent + dropped")
	case r.Sent != r.Response.Count() || r.Failed != r.Errors.Count():
		return errors.New("loadgen: a result whose histograms do not hold the calls sent and failed")
	}
	return nil
}

type jsonInterval struct {
	Start  time.Duration `json:"start_ns"`
	OK     int64         `json:"ok"`
	Failed int64         `json:"failed"`
	P50    time.Duration `json:"p50_ns,omitzero"`
	P99    time.Duration `json:"p99_ns,omitzero"`
	Max    time.Duration `json:"max_ns,omitzero"`
}

// MarshalJSON returns i as in Result.MarshalJSON.
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal(jsonInterval(i)) }

// UnmarshalJSON reads what MarshalJSON wrote; what is missing is 0.
func (i *Interval) UnmarshalJSON(data []byte) error {
	var j jsonInterval
	err := json.Unmarshal(data, &j)
	*i = Interval(j)
	return err
}

type jsonErrorKind struct {
	Text  string `json:"text"`
	Count int64  `json:"count"`
}

// MarshalJSON returns k as in Result.MarshalJSON.
func (k ErrorKind) MarshalJSON() ([]byte, error) { return json.Marshal(jsonErrorKind(k)) }

// UnmarshalJSON reads what MarshalJSON wrote; what is missing is empty.
func (k *ErrorKind) UnmarshalJSON(data []byte) error {
	var j jsonErrorKind
	err := json.Unmarshal(data, &j)
	*k = ErrorKind(j)
	return err
}
