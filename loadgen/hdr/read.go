package hdr

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rpcbench/rpcbench/loadgen"
)

// Log is what a histogram log of WriteLog holds. It must not be copied.
type Log struct {
	Response, Service, Lag, Errors loadgen.Histogram // as in loadgen.Result
}

// tags lists the tags of a log in the order of its lines.
func tags() []string { return []string{"response", "service", "lag", "errors"} }

// byTag returns the histogram of a tag, and nil for an unknown tag.
func (l *Log) byTag(tag string) *loadgen.Histogram {
	switch tag {
	case "response":
		return &l.Response
	case "service":
		return &l.Service
	case "lag":
		return &l.Lag
	case "errors":
		return &l.Errors
	}
	return nil
}

const (
	// maxLine is longer than the line of any histogram, in bytes.
	maxLine = 1 << 20
	// maxCount is the most values that a histogram may hold to be exported.
	maxCount = 1 << 48
)

// ReadLog reads what WriteLog wrote, or several such logs one after the other:
// the histograms of a tag add up. Any other tag is an error. So is a log in which
// some tag has more lines than another, such as one that was cut off. Times are not
// used. Memory is bounded for any input.
func ReadLog(r io.Reader) (*Log, error) {
	log, count := &Log{}, map[string]int{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == '"' { // comments and legend
			continue
		}
		tag, err := log.readLine(line)
		if err != nil {
			return nil, fmt.Errorf("hdr: line %d of the log: %w", n, err)
		}
		count[tag]++
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("hdr: line %d of the log: %w", n, err)
	}
	if err := whole(count); err != nil {
		return nil, err
	}
	return log, nil
}

// whole returns an error unless all tags have the same number of lines, at least 1.
func whole(count map[string]int) error {
	for _, tag := range tags() {
		if want := max(count["response"], 1); count[tag] != want {
			return fmt.Errorf("hdr: the log has %d lines with Tag=%s and not %d: was it cut off?", count[tag], tag, want)
		}
	}
	return nil
}

// readLine adds the histogram of one line to that of its tag.
func (l *Log) readLine(line string) (tag string, err error) {
	fields := strings.SplitN(line, ",", 6)
	if len(fields) != 5 || !strings.HasPrefix(fields[0], "Tag=") {
		return "", errors.New("not of the form Tag=tag,start,length,max,histogram")
	}
	tag = strings.TrimPrefix(fields[0], "Tag=")
	sum := l.byTag(tag)
	if sum == nil {
		return "", fmt.Errorf("tag %.20q is none of %s", tag, strings.Join(tags(), ", "))
	}
	for _, number := range fields[1:4] {
		if v, err := strconv.ParseFloat(number, 64); err != nil || math.IsNaN(v) {
			return "", fmt.Errorf("%.20q is not a number", number)
		}
	}
	if fields[4] == "" {
		return "", errors.New("bad histogram: it is empty")
	}
	var h loadgen.Histogram
	if err := h.UnmarshalText([]byte(fields[4])); err != nil {
		return "", err
	}
	if sum.Count()+h.Count() > maxCount {
		return "", fmt.Errorf("more than %d values with Tag=%s", int64(maxCount), tag)
	}
	sum.Merge(&h)
	return tag, nil
}
