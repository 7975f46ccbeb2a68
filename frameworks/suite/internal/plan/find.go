package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/layer"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/metadata"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/stack"
)

// Find returns the variant of an ID: one of the table, or one of these with layers or with
// another window.
func Find(table []framework.Variant, id string, c *layer.Certificates) (v framework.Variant, err error) {
	base, window, windowed := strings.Cut(id, "/window=")
	base, added := cutStack(base)
	i := slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == id })
	if i >= 0 {
		return secured(table[i], c)
	}
	i = slices.IndexFunc(table, func(v framework.Variant) bool { return v.ID() == base })
	switch {
	case i < 0 || len(added) > 0 == windowed || windowed && table[i].Windows == nil:
		return v, fmt.Errorf("no variant %q", id)
	case !windowed:
		s, err := readStack(added, c)
		if err != nil {
			return v, err
		}
		if stack.Empty(s) { // as of metadata=0, which makes no variant
			return v, fmt.Errorf("no variant %q", id)
		}
		return WithLayers(table[i], s)
	}
	n, err := ParseSize(window)
	if err != nil {
		return v, fmt.Errorf("%s: %w", id, err)
	}
	return withWindow(table[i], n)
}

// secured returns a variant with what it needs of certificates.
func secured(v framework.Variant, c *layer.Certificates) (framework.Variant, error) {
	switch {
	case v.Secured == nil:
		return v, nil
	case c == nil:
		return v, fmt.Errorf("%s has TLS always, and there are no certificates: give -certs=DIR", v.ID())
	}
	s, err := layer.Stack{Layers: []layer.Layer{layer.TLS13}}.Certified(c)
	if err != nil {
		return v, fmt.Errorf("%s: %w", v.ID(), err)
	}
	w := v.Secured(s)
	w.Secured = v.Secured
	return w, nil
}

// cutStack cuts off the keys that make a stack, and returns their values.
func cutStack(id string) (base string, added map[string]string) {
	added = map[string]string{}
	for _, key := range []string{"chain", "metadata", "with"} { // the last first
		rest, value, found := strings.Cut(id, "/"+key+"=")
		if found {
			id, added[key] = rest, value
		}
	}
	return id, added
}

// readStack reads the values of keys, of which some may be missing.
func readStack(added map[string]string, c *layer.Certificates) (s layer.Stack, err error) {
	if with, found := added["with"]; found {
		if s, err = stack.ReadLayers(with); err == nil {
			s, err = s.Certified(c)
		}
		if err != nil {
			return s, err
		}
	}
	if entries, found := added["metadata"]; found {
		m, err := metadata.Read(entries)
		if err != nil {
			return s, err
		}
		s.Metadata = m
	}
	if length, found := added["chain"]; found {
		s.Chain, err = stack.ReadChain(length)
	}
	return s, err
}

// OneVariant returns the variant that Find finds, or the only one whose ID begins with
// these keys.
func OneVariant(table []framework.Variant, key string, c *layer.Certificates) (framework.Variant, error) {
	var matches []framework.Variant
	for _, v := range table {
		if strings.HasPrefix(v.ID(), key+"/") {
			matches = append(matches, v)
		}
	}
	made := slices.ContainsFunc([]string{"/with=", "/metadata=", "/chain=", "/window="}, func(k string) bool { return strings.Contains(key, k) })
	if v, err := Find(table, key, c); err == nil || made || v.Secured != nil {
		return v, err
	}
	switch len(matches) {
	case 0:
		return framework.Variant{}, fmt.Errorf("%q is not the first keys of any variant%s", key, insteadOfKeys(key, table))
	case 1:
		return secured(matches[0], c)
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
		if "framework="+v.Framework == first {
			ids = append(ids, v.ID())
		}
	}
	if len(ids) > 0 {
		return ": " + thereAre(ids)
	}
	for _, name := range FrameworksOf(table) {
		frameworks = append(frameworks, "framework="+name)
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
