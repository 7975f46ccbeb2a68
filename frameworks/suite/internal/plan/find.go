package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Find returns the variant of an ID: one of the table, or one of these with layers or with
// another window.
func Find(table []framework.Variant, id string, c *framework.Certificates) (framework.Variant, error) {
	if i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == id }); i >= 0 {
		return table[i], nil
	}
	if strings.Contains(id, "/with=") {
		return findWith(table, id, c)
	}
	base, size, found := strings.Cut(id, "/window=")
	i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == base && v.Windows != nil })
	if !found || i < 0 {
		return framework.Variant{}, fmt.Errorf("no variant %q", id)
	}
	n, err := ParseSize(size)
	if err != nil {
		return framework.Variant{}, fmt.Errorf("%s: %w", id, err)
	}
	return withWindow(table[i], n)
}

// findWith returns the variant of an ID with layers.
func findWith(table []framework.Variant, id string, c *framework.Certificates) (framework.Variant, error) {
	base, with, _ := strings.Cut(id, "/with=")
	i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == base })
	if i < 0 {
		return framework.Variant{}, fmt.Errorf("no variant %q", id)
	}
	s, err := framework.NewStack(with, c)
	if err != nil {
		return framework.Variant{}, err
	}
	return WithLayers(table[i], s)
}

// oneVariant is the variant whose ID is key, be it with layers or a window that the table
// does not have, or the one whose ID begins with the keys in it.
func oneVariant(table []framework.Variant, key string, c *framework.Certificates) (framework.Variant, error) {
	var matches []framework.Variant
	for _, v := range table {
		if v.ID() == key {
			return v, nil
		}
		if strings.HasPrefix(v.ID(), key+"/") {
			matches = append(matches, v)
		}
	}
	made := strings.Contains(key, "/window=") || strings.Contains(key, "/with=")
	if v, err := Find(table, key, c); err == nil || made {
		return v, err
	}
	switch len(matches) {
	case 0:
		return framework.Variant{}, fmt.Errorf("%q is not the first keys of any variant%s", key, insteadOfKeys(key, table))
	case 1:
		return matches[0], nil
	default:
		return framework.Variant{}, fmt.Errorf("%q is the first keys of several variants, add some: %s", key, idsOf(matches))
	}
}

// insteadOfKeys is Instead for the first keys of a variant: it lists the framework's
// variants if there are any, else frameworks.
func insteadOfKeys(key string, table []framework.Variant) string {
	first, _, _ := strings.Cut(key, "/")
	var ids, frameworks []string
	for _, v := range table {
		name := "framework=" + v.Framework
		if name == first {
			ids = append(ids, v.ID())
		}
		if !slices.Contains(frameworks, name) {
			frameworks = append(frameworks, name)
		}
	}
	if len(ids) > 0 {
		return ": " + thereAre(ids)
	}
	return insteadOf(first, frameworks)
}

func idsOf(list []framework.Variant) string {
	var ids []string
	for _, v := range list {
		ids = append(ids, v.ID())
	}
	return strings.Join(ids, ", ")
}
