package anatomy

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Stacks are how many samples each stack has. A key has the frames from the outermost to the
// innermost, with ; between them, as tools for flame graphs read it.
type Stacks map[string]int64

// Total is the number of all samples.
func (s Stacks) Total() (n int64) {
	for _, count := range s {
		n += count
	}
	return n
}

// ReadProfile reads a CPU profile of a Go program. build tells binaries apart; it is empty if
// the profile does not say of which it is.
func ReadProfile(data []byte) (s Stacks, build string, err error) {
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, "", fmt.Errorf("not a profile: %w", err)
	}
	if err := checkProfile(p); err != nil {
		return nil, "", err
	}
	s = Stacks{}
	for _, one := range p.Sample {
		s[strings.Join(frames(one), ";")] += one.Value[0]
	}
	if len(p.Mapping) > 0 {
		build = p.Mapping[0].BuildID
	}
	return s, build, nil
}

// checkProfile returns an error for a profile that is not of CPU time, or has no names.
func checkProfile(p *profile.Profile) error {
	switch {
	case len(p.SampleType) != 2 || p.SampleType[0].Type != "samples" || p.SampleType[1].Type != "cpu":
		return errors.New("not a CPU profile: take -anatomy, or -cpuprofile")
	case len(p.Sample) == 0:
		return fmt.Errorf("%w: a CPU profile without a sample: measure for longer", errIncomplete)
	case !slices.ContainsFunc(p.Function, func(f *profile.Function) bool { return strings.Contains(f.Name, ".") }):
		return errors.New("no function of it is named as those of Go are: the profile is of another program, or its names were stripped")
	}
	return nil
}

// frames are the functions of a sample, the outermost first, with those that were inlined.
func frames(s *profile.Sample) (list []string) {
	for _, at := range slices.Backward(s.Location) {
		for _, line := range slices.Backward(at.Line) {
			if line.Function != nil {
				list = append(list, strings.ReplaceAll(foreign.Line(line.Function.Name), ";", ","))
			}
		}
	}
	if list == nil { // a goroutine at its very beginning or end
		return []string{"runtime.goexit"}
	}
	return list
}

// WriteFolded writes a line for each stack, with its number of samples.
func (s Stacks) WriteFolded(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, key := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(b, "%s %d\n", key, s[key])
	}
	return b.Flush()
}

// ReadFolded reads what WriteFolded has written.
func ReadFolded(data []byte) (Stacks, error) {
	s := Stacks{}
	for number, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		stack, count, found := cutLast(string(line))
		n, err := strconv.ParseInt(count, 10, 64)
		if !found || err != nil || n <= 0 {
			return nil, fmt.Errorf("line %d is not a stack and its number of samples, as in main.main;runtime.mallocgc 3", number+1)
		}
		s[foreign.Line(stack)] += n
	}
	return s, nil
}

func cutLast(line string) (before, after string, found bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 {
		return "", "", false
	}
	return line[:i], line[i+1:], true
}

// Places sums up samples by what they stand for.
func (t *Table) Places(side string, s Stacks) map[Place]int64 {
	sum := map[Place]int64{}
	for key, n := range s {
		inner := strings.Split(key, ";")
		slices.Reverse(inner)
		sum[t.Of(side, inner)] += n
	}
	return sum
}

// order is the place of a part in tables and pictures.
func order(part string) int {
	return slices.IndexFunc(parts[:], func(p Part) bool { return p.Name == part })
}

// byOrder compares parts by their order.
func byOrder(a, b string) int { return cmp.Compare(order(a), order(b)) }
