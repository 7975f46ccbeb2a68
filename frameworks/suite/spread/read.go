package spread

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// Unit is what values are: how they are written, and the most that a value may be.
type Unit struct {
	Read  func(text string) (int64, error)
	Write func(value int64) string
	Most  int64
}

// readerOf reads what follows the word of a kind and its colon; nil for a word of no kind.
func readerOf(kind string) func(Unit, string) ([]int64, error) {
	switch kind {
	case "mix":
		return mix
	case "exponential":
		return readExponential
	case "lognormal":
		return readLognormal
	case "pareto":
		return readPareto
	case "file":
		return file
	}
	return nil
}

// Is reports whether a text begins as one of a distribution does.
func Is(text string) bool {
	kind, _, found := strings.Cut(text, ":")
	return found && readerOf(kind) != nil
}

// Read reads a distribution. The error is a sentence that begins with the text.
func Read(text string, unit Unit) (Spread, error) {
	factor, rest, err := cutFactor(text)
	if err != nil {
		return Spread{}, fmt.Errorf("%s: %w", text, err)
	}
	values, err := valuesOf(rest, unit)
	if err != nil {
		return Spread{}, fmt.Errorf("%s: %w", text, err)
	}
	shuffle(values)
	for i, v := range values {
		scaled := math.Round(float64(v) * factor)
		if v < 0 || scaled > float64(unit.Most) {
			return Spread{}, fmt.Errorf("%s: %w", text, outside(unit))
		}
		values[i] = int64(scaled)
	}
	return Spread{text, values}, nil
}

// mostFactor bounds the factor of a text.
const mostFactor = 1000

// cutFactor cuts the factor and its colon off a text; 1 if it has none.
func cutFactor(text string) (factor float64, rest string, err error) {
	first, rest, found := strings.Cut(text, ":")
	number, isFactor := strings.CutSuffix(first, "x")
	if !found || !isFactor || readerOf(first) != nil {
		return 1, text, nil
	}
	factor, err = strconv.ParseFloat(number, 64)
	if err != nil || !(factor > 0 && factor <= mostFactor) {
		err = fmt.Errorf("the factor %q must be more than 0x and at most %dx", first, mostFactor)
	}
	return factor, rest, err
}

// valuesOf reads the values of a text. A text without the word of a kind is a mix, or a value
// that all calls take.
func valuesOf(text string, unit Unit) ([]int64, error) {
	kind, rest, found := strings.Cut(text, ":")
	if read := readerOf(kind); read != nil {
		return read(unit, rest)
	}
	if strings.Contains(text, "_") {
		return mix(unit, text)
	}
	value, err := unit.Read(text)
	if found && err != nil {
		return nil, errors.New("it is no distribution: mix:, exponential:, lognormal:, pareto: and file: are")
	}
	return []int64{value}, err
}

func outside(unit Unit) error {
	return fmt.Errorf("its values must be from %s to %s", unit.Write(0), unit.Write(unit.Most))
}

// mix reads values with shares in per cent, which must be whole numbers of entries.
func mix(unit Unit, text string) (values []int64, err error) {
	sum := 0.0
	for part := range strings.SplitSeq(text, "_") {
		at := strings.LastIndexAny(part, "-:")
		if at < 0 {
			return nil, fmt.Errorf("%q must be a value and its share in per cent, as in %s-90", part, unit.Write(1000))
		}
		value, err := unit.Read(part[:at])
		if err != nil {
			return nil, err
		}
		share, err := strconv.ParseFloat(part[at+1:], 64)
		if err != nil || share <= 0 || share > 100 {
			return nil, fmt.Errorf("the share %q must be more than 0 and at most 100 per cent", part[at+1:])
		}
		count := share * Entries / 100
		if math.Abs(count-math.Round(count)) > 1e-6 {
			return nil, fmt.Errorf("the share %v has more than two digits behind the point", share)
		}
		for range int(math.Round(count)) {
			values = append(values, value)
		}
		sum += share
	}
	if len(values) != Entries {
		return nil, fmt.Errorf("the shares sum up to %.6g per cent, and must sum up to 100", sum)
	}
	return values, nil
}

func readExponential(unit Unit, text string) ([]int64, error) {
	mean, err := unit.Read(text)
	if err == nil && mean == 0 {
		err = errors.New("the mean must be more than 0")
	}
	return tableOf(unit, exponential(float64(mean)), err)
}

func readLognormal(unit Unit, text string) ([]int64, error) {
	median, factor, err := two(unit, text, "the median and the factor by which the values spread", 3)
	return tableOf(unit, lognormal(median, factor), err)
}

func readPareto(unit Unit, text string) ([]int64, error) {
	least, exponent, err := two(unit, text, "the least value and the exponent", 1.5)
	return tableOf(unit, pareto(least, exponent), err)
}

// two reads a value and a number over 1.
func two(unit Unit, text, what string, example float64) (value, number float64, err error) {
	first, second, found := strings.Cut(text, ":")
	if !found {
		return 0, 0, fmt.Errorf("it must be %s, as in %s:%v", what, unit.Write(1000), example)
	}
	n, err := unit.Read(first)
	if err != nil {
		return 0, 0, err
	}
	number, err = strconv.ParseFloat(second, 64)
	if err != nil || !(number > 1 && number <= 100) || n == 0 {
		return 0, 0, fmt.Errorf("it must be %s, more than 0 and from over 1 to 100", what)
	}
	return float64(n), number, nil
}

// tableOf is the table of a shape whose largest value the unit can have.
func tableOf(unit Unit, s shape, err error) ([]int64, error) {
	if err != nil {
		return nil, err
	}
	if s.quantile(1-0.5/Entries) > float64(unit.Most) || s.mean*Entries > math.MaxInt64/2 {
		return nil, outside(unit)
	}
	return s.table(), nil
}

// mostValues bounds a file.
const mostValues = 1_000_000

// file reads a value a line; empty lines and those that begin with # are comments.
func file(unit Unit, name string) (values []int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for at := 1; lines.Scan(); at++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		value, err := unit.Read(text)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", at, err)
		}
		if values = append(values, value); len(values) > mostValues {
			return nil, fmt.Errorf("it has more than %d values", mostValues)
		}
	}
	if len(values) == 0 && lines.Err() == nil {
		return nil, errors.New("it has no value")
	}
	return values, lines.Err()
}
