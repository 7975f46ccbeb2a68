package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
)

var errNoReport = errors.New("it has printed no report")

// parse reads a report in JSON. Text before it, such as a warning, is passed over.
func parse[T any](text []byte) (T, error) {
	var report T
	at := bytes.IndexByte(text, '{')
	if at < 0 {
		return report, errNoReport
	}
	if err := json.NewDecoder(bytes.NewReader(text[at:])).Decode(&report); err != nil {
		return report, fmt.Errorf("its report cannot be read: %w", err)
	}
	return report, nil
}

// span is a number of units as a time, rounded to 1 ns.
func span(n float64, unit time.Duration) time.Duration {
	return time.Duration(math.Round(n * float64(unit)))
}

// codes counts replies by their status: answered are 200 to 299, failed all others.
func codes(counts map[string]int64) (answered, failed int64) {
	for code, n := range counts {
		if len(code) == 3 && code[0] == '2' {
			answered += n
		} else {
			failed += n
		}
	}
	return answered, failed
}

// sum adds up counts.
func sum(counts map[string]int64) (total int64) {
	for _, n := range counts {
		total += n
	}
	return total
}

// rows returns what the groups of a pattern match in a report, a row for each match. In the
// pattern ^ and $ stand for the ends of a line.
func rows(text []byte, pattern string) [][]string {
	var found [][]string
	for _, match := range regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(string(text), -1) {
		found = append(found, match[1:])
	}
	return found
}

// number returns what the group of a pattern matches first as a number, or 0.
func number(text []byte, pattern string) float64 {
	for _, row := range rows(text, pattern) {
		n, _ := strconv.ParseFloat(row[0], 64)
		return n
	}
	return 0
}

// count is a count in a report, 0 if it is none.
func count(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

// ranks sets the percentiles and the maximum from the times of all calls.
func (s *Said) ranks(times []time.Duration) {
	all := planted.Summary(times, 0)
	s.P50, s.P95, s.P99, s.Max = all.P50, all.P95, all.P99, all.Max
}
