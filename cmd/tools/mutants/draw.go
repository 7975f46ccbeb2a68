package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

//go:embed equivalent.txt
var equivalentText string

// draw orders sites by the seed: mutants are made of the first ones that compile.
// The place of a site depends on its own text, so that a change of others leaves it.
func draw(seed uint64, sites []site) []site {
	sites = slices.Clone(sites)
	key := func(s site) string { return digest(fmt.Sprint(seed), s.id()) }
	slices.SortFunc(sites, func(a, b site) int { return strings.Compare(key(a), key(b)) })
	return sites
}

// order orders the ways to change a site, by the seed.
func order(seed uint64, s site) []change {
	changes := slices.Clone(s.changes)
	key := func(c change) string { return digest(fmt.Sprint(seed), s.id(), c.what) }
	slices.SortFunc(changes, func(a, b change) int { return strings.Compare(key(a), key(b)) })
	return changes
}

// digest names a text in eight characters.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// quota says how many mutants an area has, and how many all directories together.
type quota struct {
	area string // "" for all
	n    int
}

func quotas(c config) (list []quota) {
	for _, area := range c.areas {
		list = append(list, quota{area, c.least})
	}
	return append(list, quota{"", c.n - len(c.areas)*c.least})
}

// has reports whether a site counts.
func (q quota) has(s site) bool {
	return q.area == "" || strings.HasPrefix(s.file, q.area+"/")
}
