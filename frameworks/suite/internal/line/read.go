package line

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// word is one thing that a line does: its name and value, as in delay-5ms.
type word struct {
	name, example string
	read          func(s *Shape, value string) error
}

// words are all there are, in the order in which a name has them.
func words() []word {
	return []word{
		{"delay", "delay-5ms", func(s *Shape, v string) (err error) { s.Delay, err = readTime(v); return err }},
		{"rate", "rate-100mbit", func(s *Shape, v string) (err error) { s.Rate, err = readRate(v); return err }},
		{"jitter", "jitter-1ms", func(s *Shape, v string) (err error) { s.Jitter, err = readTime(v); return err }},
		{"loss", "loss-0.1%", func(s *Shape, v string) (err error) { s.Loss, err = readLoss(v); return err }},
		{"queue", "queue-256KiB", func(s *Shape, v string) (err error) { s.Queue, err = readQueue(v); return err }},
	}
}

// Words are examples of all words.
func Words() (list []string) {
	for _, w := range words() {
		list = append(list, w.example)
	}
	return list
}

// modes are the lines of grpc-go's own benchmark, whose kilobits are 1,024 bits.
func modes() map[string]Shape {
	const kbit = 1024
	return map[string]Shape{
		"grpc-lan":      {Delay: 2 * time.Millisecond, Rate: 100 * 1024 * kbit},
		"grpc-wan":      {Delay: 30 * time.Millisecond, Rate: 20 * 1024 * kbit},
		"grpc-longhaul": {Delay: 200 * time.Millisecond, Rate: 1000 * 1024 * kbit, MTU: 9000},
	}
}

// Modes are the names of lines that stand for several words.
func Modes() []string { return []string{"grpc-lan", "grpc-wan", "grpc-longhaul"} }

// ErrUnknown is the error of a name that begins like no line.
type ErrUnknown struct{ Word string }

func (e *ErrUnknown) Error() string { return fmt.Sprintf("unknown %q", e.Word) }

// Read reads a line's name: words joined by _, each at most once and in their order, as in
// delay-5ms_loss-0.1%; or one of Modes. A line has one name alone, by which lines of two
// runs are compared.
func Read(name string) (s Shape, err error) {
	if s, known := modes()[name]; known {
		return s, nil
	}
	at := -1
	for text := range strings.SplitSeq(name, "_") {
		i, err := readWord(&s, text)
		if err != nil {
			return Shape{}, err
		}
		if i <= at {
			return Shape{}, misplaced(name, text, i == at)
		}
		at = i
	}
	return s, s.check()
}

// readWord reads one word and returns its place.
func readWord(s *Shape, text string) (int, error) {
	name, value, _ := strings.Cut(text, "-")
	for i, w := range words() {
		if w.name != name {
			continue
		}
		if err := w.read(s, value); err != nil {
			return 0, fmt.Errorf("%s: %w, as in %s", text, err, w.example)
		}
		return i, nil
	}
	return 0, &ErrUnknown{text}
}

func misplaced(name, text string, twice bool) error {
	kind, _, _ := strings.Cut(text, "-")
	if twice || strings.Count("_"+name, "_"+kind+"-") > 1 {
		return fmt.Errorf("%s: a line has one %s", name, kind)
	}
	var order []string
	for _, w := range words() {
		order = append(order, w.name)
	}
	return fmt.Errorf("%s: write it in the order %s, so that a line has one name", name, strings.Join(order, ", "))
}

// check refuses what no packet gets through.
func (s Shape) check() error {
	largest := s.wire(s.Largest())
	switch {
	case s.Queue > 0 && s.Rate == 0:
		return fmt.Errorf("queue: without a rate nothing waits: add one, as in rate-100mbit_queue-256KiB")
	case s.Queue > 0 && s.Queue < largest:
		return fmt.Errorf("queue: %d bytes do not hold a packet of %d", s.Queue, largest)
	}
	return nil
}

// longest bounds delay and jitter.
const longest = 10 * time.Second

func readTime(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 || d > longest {
		return 0, fmt.Errorf("want a time above 0 and up to %v", longest)
	}
	return d, nil
}

const (
	slowest = 1e4  // bit/s
	fastest = 1e11 // bit/s
)

// readRate reads bits per second, in units of 1,000.
func readRate(value string) (int64, error) {
	for _, unit := range []struct {
		name string
		bits float64
	}{{"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}} {
		if digits, found := strings.CutSuffix(value, unit.name); found {
			n, err := readNumber(digits)
			if rate := n * unit.bits; err == nil && rate >= slowest && rate <= fastest {
				return int64(math.Round(rate)), nil
			}
		}
	}
	return 0, fmt.Errorf("want bits per second in kbit, mbit or gbit, from 10kbit to 100gbit")
}

// readNumber reads digits with a point, and not the other forms of a number.
func readNumber(digits string) (float64, error) {
	if strings.Trim(digits, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(digits, 64)
}

func readLoss(value string) (float64, error) {
	digits, found := strings.CutSuffix(value, "%")
	n, err := readNumber(digits)
	if !found || err != nil || n <= 0 || n > 100 {
		return 0, fmt.Errorf("want a percentage above 0%% and up to 100%%")
	}
	return n / 100, nil
}

// readQueue reads bytes, in units of 1,024.
func readQueue(value string) (int, error) {
	for shift, unit := range map[int]string{10: "KiB", 20: "MiB"} {
		digits, found := strings.CutSuffix(value, unit)
		if n, err := strconv.Atoi(digits); found && err == nil && n > 0 && n <= 1<<(30-shift) {
			return n << shift, nil
		}
	}
	return 0, fmt.Errorf("want bytes in KiB or MiB, up to 1024MiB")
}
