// Package condition reads what a result has to meet, as in "p99<200ms".
package condition

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is what a condition is about.
type Kind int

// The kinds. Errors and Dropped are counts or, with a percent sign, shares.
const (
	Percentile Kind = iota
	Max
	Mean
	Errors
	Dropped
	Goodput
	Calls
	Warnings
)

// Column is a histogram of a result.
type Column int

// The columns.
const (
	Response Column = iota
	Service
	Lag
)

// Condition compares a figure of a result with a limit.
type Condition struct {
	Text     string // as it was written
	Kind     Kind
	Column   Column  // of Percentile, Max and Mean
	Quantile float64 // of Percentile: more than 0 and less than 1
	Part     string  // the call of a Mix; empty for all calls
	Share    bool    // the limit of Errors or Dropped is a share
	op       string
	Limit    float64 // nanoseconds, calls, calls per second or percent
}

// Met reports whether a figure meets the condition.
func (c *Condition) Met(figure float64) bool {
	switch c.op {
	case "<":
		return figure < c.Limit
	case "<=":
		return figure <= c.Limit
	case ">":
		return figure > c.Limit
	case ">=":
		return figure >= c.Limit
	}
	return figure == c.Limit
}

// Parse reads conditions that commas separate, of one text or of several.
func Parse(texts ...string) (list []Condition, err error) {
	for _, text := range texts {
		for _, one := range split(text) {
			c, err := parse(strings.TrimSpace(one))
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no condition is given: " + known)
	}
	return list, nil
}

const known = "conditions are as in p99<200ms, service.p99.9<=1s, max<2s, mean<5ms, errors<0.1%, errors=0, dropped=0, " +
	"goodput>=490, calls>=1000, warnings=0, and of one call of several p99{NAME}<200ms"

// split cuts a text at the commas outside of braces.
func split(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ',' && depth <= 0
	})
}

func parse(text string) (c Condition, err error) {
	c.Text = text
	subject, rest := text, ""
	if c.Part, subject, rest, err = part(text); err != nil {
		return c, fmt.Errorf("condition %q: %w", text, err)
	}
	at := strings.IndexAny(rest, "<>=")
	if at < 0 {
		return c, fmt.Errorf("condition %q has none of <, <=, >, >= and =: %s", text, known)
	}
	subject += rest[:at]
	c.op, rest = operator(rest[at:])
	if err = c.about(strings.TrimSpace(subject)); err == nil {
		err = c.limit(strings.TrimSpace(rest))
	}
	if err == nil && c.Part != "" && c.Kind == Warnings {
		err = errors.New("warnings are of all calls together, and of none by itself")
	}
	if err != nil {
		return c, fmt.Errorf("condition %q: %w", text, err)
	}
	return c, nil
}

// part takes the braces out of a text: what stands before them, and what behind.
func part(text string) (name, before, behind string, err error) {
	open := strings.IndexByte(text, '{')
	if open < 0 || strings.ContainsAny(text[:open], "<>=") {
		return "", "", text, nil
	}
	end := strings.LastIndexByte(text, '}')
	switch {
	case end < open:
		return "", "", "", errors.New("the brace { has no }")
	case end == open+1:
		return "", "", "", errors.New("between { and } is no name of a call")
	case open == 0 || strings.IndexAny(strings.TrimSpace(text[end+1:]), "<>=") != 0:
		return "", "", "", errors.New("the call must stand between the figure and the limit, as in p99{NAME}<200ms")
	}
	return text[open+1 : end], text[:open], text[end+1:], nil
}

func operator(text string) (op, rest string) {
	for _, op := range []string{"<=", ">=", "<", ">"} {
		if rest, ok := strings.CutPrefix(text, op); ok {
			return op, rest
		}
	}
	return "=", strings.TrimPrefix(text[1:], "=") // as in == of programs
}

// about finds out what the condition is about.
func (c *Condition) about(subject string) error {
	name := subject
	for column, prefix := range []string{"response.", "service.", "lag."} {
		if rest, ok := strings.CutPrefix(subject, prefix); ok {
			c.Column, name = Column(column), rest
		}
	}
	kind, ok := map[string]Kind{"max": Max, "mean": Mean}[name]
	if !ok && name == subject { // no others have columns
		kind, ok = map[string]Kind{"errors": Errors, "dropped": Dropped, "goodput": Goodput, "calls": Calls, "warnings": Warnings}[name]
	}
	if c.Kind = kind; ok {
		return nil
	}
	c.Kind = Percentile
	percent, err := strconv.ParseFloat(strings.TrimPrefix(name, "p"), 64)
	if err != nil || name[0] != 'p' || !(percent > 0 && percent < 100) {
		return fmt.Errorf("%q is not known: %s", subject, known)
	}
	c.Quantile = percent / 100
	return nil
}

// IsTime reports whether the condition is about times.
func (c *Condition) IsTime() bool { return c.Kind <= Mean }

func (c *Condition) limit(text string) error {
	if c.IsTime() {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a time, as in 200ms or 1.5s", text)
		}
		c.Limit = float64(d)
		return nil
	}
	number, percent := strings.CutSuffix(text, "%")
	if c.Kind == Goodput {
		number = strings.TrimSuffix(number, "/s")
	}
	limit, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	c.Limit, c.Share = limit, percent
	switch {
	case err != nil || !(limit >= 0 && limit < 1e18):
		return fmt.Errorf("%q is not a number", text)
	case percent && c.Kind != Errors && c.Kind != Dropped:
		return fmt.Errorf("%q is a share: only errors and dropped have one", text)
	}
	return nil
}
