package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ties says what ties the files of a circle: a line for each pair, with at most a number of
// the names used, or all if it is 0. Users stand above what they use. Lines that go the other
// way are marked: they close the circle.
func (u uses) ties(circle []int, most int) string {
	var lines []string
	order, up := u.layers(circle), 0
	for i, from := range order {
		for j, to := range order {
			names := u.names[from][to]
			if len(names) == 0 {
				continue
			}
			mark := " "
			if j < i {
				mark, up = "↑", up+1
			}
			lines = append(lines, fmt.Sprintf("%s %s → %s: %s", mark, u.files[from], u.files[to], list(names, most)))
		}
	}
	return fmt.Sprintf("Without the uses marked ↑, %d of %d, there is no circle:\n%s", up, len(lines), strings.Join(lines, "\n"))
}

// list joins names.
func list(names map[string]bool, most int) string {
	all := slices.Sorted(maps.Keys(names))
	if most == 0 || len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// layers orders the files of a circle so that few names are used upwards: as long as that
// makes them fewer, it swaps two groups of files that stand one above the other.
func (u uses) layers(circle []int) []int {
	order := slices.Clone(circle)
	for {
		from, middle, to := u.swap(order)
		if to == 0 {
			return order
		}
		order = slices.Concat(order[:from], order[middle:to], order[from:middle], order[to:])
	}
}

// swap finds the two groups, order[from:middle] and order[middle:to], that save most names
// used upwards when they change places; zeros if none do.
func (u uses) swap(order []int) (from, middle, to int) {
	most := 0
	for m := 1; m < len(order); m++ {
		saved := make([]int, len(order)) // by each file below m, when it stands above order[f:m]
		for f := m - 1; f >= 0; f-- {
			sum := 0
			for t := m; t < len(order); t++ {
				saved[t] += len(u.names[order[t]][order[f]]) - len(u.names[order[f]][order[t]])
				if sum += saved[t]; sum > most {
					most, from, middle, to = sum, f, m, t+1
				}
			}
		}
	}
	return from, middle, to
}
