// Package cpus tells which CPUs a process may use, how the machine groups them to cores
// and nodes, and what they have done. It divides them between servers and the client, and
// pins processes to them.
package cpus

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxCPU is the greatest CPU number that Linux's usual affinity mask holds.
const maxCPU = 1023

// Set is a set of CPU numbers in ascending order.
type Set []int

// Parse reads a list of numbers and ranges, as in "0-3,6". It must name at least
// one CPU, and no number above 1023.
func Parse(s string) (Set, error) {
	var set Set
	for part := range strings.SplitSeq(s, ",") {
		first, last, err := parseRange(part)
		if err != nil {
			return nil, fmt.Errorf("CPUs %q: %w; want numbers and ranges, as in 0-3,6", s, err)
		}
		for cpu := first; cpu <= last; cpu++ {
			set = append(set, cpu)
		}
	}
	slices.Sort(set)
	return slices.Compact(set), nil
}

// parseRange reads "2" or "0-3".
func parseRange(s string) (first, last int, err error) {
	from, to, isRange := strings.Cut(s, "-")
	if first, err = parseNumber(from); err != nil || !isRange {
		return first, first, err
	}
	if last, err = parseNumber(to); err != nil {
		return 0, 0, err
	}
	if last < first {
		return 0, 0, fmt.Errorf("range %s runs backwards", s)
	}
	return first, last, nil
}

func parseNumber(s string) (int, error) {
	switch n, err := strconv.ParseUint(s, 10, 31); {
	case s == "":
		return 0, errors.New("a number is missing")
	case err != nil:
		return 0, fmt.Errorf("%q is not a CPU number", s)
	case n > maxCPU:
		return 0, fmt.Errorf("CPU %d is beyond %d", n, maxCPU)
	default:
		return int(n), nil
	}
}

// String returns the set in the form that Parse reads; "" for the empty set.
func (s Set) String() string {
	var parts []string
	for i := 0; i < len(s); {
		end := i + 1
		for end < len(s) && s[end] == s[end-1]+1 {
			end++
		}
		part := strconv.Itoa(s[i])
		if end-i > 1 {
			part += "-" + strconv.Itoa(s[end-1])
		}
		parts = append(parts, part)
		i = end
	}
	return strings.Join(parts, ",")
}

// minus returns the CPUs of s that are not in other.
func (s Set) minus(other Set) Set {
	var out Set
	for _, cpu := range s {
		if !slices.Contains(other, cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

// Union returns the CPUs of s and of other.
func (s Set) Union(other Set) Set {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(s, other))))
}
