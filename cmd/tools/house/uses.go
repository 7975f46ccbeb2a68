package main

import (
	"path"
	"slices"
)

// uses says which files of a package use which others.
type uses struct {
	files []string
	names []map[int]map[string]bool // names[i][j] are those that file i has of file j
}

// uses finds the uses in a package.
func (c checker) uses(p *pkg) uses {
	u := uses{p.names, make([]map[int]map[string]bool, len(p.names))}
	at := map[string]int{}
	for i, name := range p.names {
		u.names[i], at[path.Join(p.dir, name)] = map[int]map[string]bool{}, i
	}
	checked := c.check(c.path(p.dir))
	owners := ownersIn(checked.types)
	for id, object := range checked.uses {
		from := at[c.set.Position(id.Pos()).Filename]
		if to, here := at[c.set.Position(object.Pos()).Filename]; here {
			u.add(from, to, owners.name(object))
		}
	}
	return u
}

// add adds a name that a file has of another.
func (u uses) add(from, to int, name string) {
	if from == to {
		return
	}
	if u.names[from][to] == nil {
		u.names[from][to] = map[string]bool{}
	}
	u.names[from][to][name] = true
}

// circles lists the files of each circle, the largest first.
func (u uses) circles() (list [][]int) {
	reach := u.reach()
	placed := make([]bool, len(u.files))
	for i := range u.files {
		var c []int
		for j := range u.files {
			if !placed[j] && reach[i][j] && reach[j][i] {
				c, placed[j] = append(c, j), true
			}
		}
		if len(c) > 1 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b []int) int { return len(b) - len(a) })
	return list
}

// largest is the number of files in the largest circle, 0 without one.
func (u uses) largest() int {
	if circles := u.circles(); len(circles) > 0 {
		return len(circles[0])
	}
	return 0
}

// reach says which files use which others, directly or by way of others (Warshall 1962).
// A file in no circle does not reach itself.
func (u uses) reach() [][]bool {
	reach := make([][]bool, len(u.files))
	for i := range reach {
		reach[i] = make([]bool, len(u.files))
		for j := range u.names[i] {
			reach[i][j] = true
		}
	}
	for via := range reach {
		for i := range reach {
			for j := range reach {
				reach[i][j] = reach[i][j] || reach[i][via] && reach[via][j]
			}
		}
	}
	return reach
}
