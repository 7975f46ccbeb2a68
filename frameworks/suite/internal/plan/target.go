package plan

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// Target is a variant to measure, together with the server to use: one of our
// own, or one given by -server.
type Target struct {
	framework.Variant
	Given string // host:port of a server that was running already; "" for servers of our own
	Peer  string // what that server is, the optional peer=; "" for not said
}

// Place says in errors which server of which variant they are about.
func (t Target) Place() string {
	if t.Given == "" {
		return t.ID()
	}
	return t.ID() + " at " + t.Given
}

// absent is a target whose servers are the users', and none is given.
func (t Target) absent() bool { return t.StandIn && t.Given == "" }

// target finds the variant of a server.
func (s server) target(table []framework.Variant, c *framework.Certificates) (Target, error) {
	host, port, err := net.SplitHostPort(s.addr)
	if err != nil || port == "" {
		return Target{}, errors.New("must be VARIANT@HOST:PORT, as in framework=tcp/transport=mux@127.0.0.1:7000")
	}
	v, err := oneVariant(table, s.keys, c.Named(host))
	return Target{Variant: v, Given: s.addr}, err
}

// targets are what the options ask for, of a table of variants.
func (o *Options) targets(table []framework.Variant) ([]Target, error) {
	for i, v := range table {
		if slices.ContainsFunc(table[:i], func(w framework.Variant) bool { return w.ID() == v.ID() }) {
			return nil, fmt.Errorf("Config.Frameworks: %s is there twice", v.ID())
		}
	}
	if len(o.Servers.Values) > 0 {
		return o.given(table)
	}
	return slices.DeleteFunc(targetsOf(table), func(t Target) bool {
		return !o.wants(t.Framework) || !o.inSet(t.Variant, table)
	}), nil
}

func targetsOf(table []framework.Variant) (list []Target) {
	for _, v := range table {
		list = append(list, Target{Variant: v})
	}
	return list
}

// inSet reports whether a variant of the table is of the set.
func (o *Options) inSet(v framework.Variant, table []framework.Variant) bool {
	if o.asksFor(v.Window) {
		return true
	}
	switch o.Set {
	case setRecommended:
		return v.Recommended
	case setProtobuf:
		return represents(v, table)
	case setBeside:
		return represents(v, table) || standsBeside(v, table)
	}
	return true
}

// represents reports whether a variant is the one of its framework that sends
// protobuf, or a reference.
func represents(v framework.Variant, table []framework.Variant) bool {
	i := protobufOf(v.Framework, table)
	return v.Rank == framework.Reference && v.Recommended || i >= 0 && v.ID() == table[i].ID()
}

// standsBeside reports whether a variant stands beside one that represents its
// framework: the ranked one of the same transport, or where that transport has none
// any.
func standsBeside(v framework.Variant, table []framework.Variant) bool {
	if v.Rank != framework.Beside || v.Codec != setProtobuf {
		return false
	}
	i := slices.IndexFunc(table, func(w framework.Variant) bool {
		return w.Framework == v.Framework && w.Transport == v.Transport && w.Codec == v.Codec && w.Rank == framework.Ranked
	})
	return i < 0 || represents(table[i], table)
}

// protobufOf is the place in the table of the variant that sends protobuf for a
// framework: the recommended one, else one of its transport, else any; -1: none does.
func protobufOf(name string, table []framework.Variant) int {
	r := slices.IndexFunc(table, func(v framework.Variant) bool { return v.Framework == name && v.Recommended })
	sends := func(v framework.Variant) bool {
		return v.Framework == name && v.Codec == setProtobuf && v.Rank != framework.Beside
	}
	plain := func(v framework.Variant) bool { return sends(v) && v.OptionalKeys() == "" }
	for _, fits := range []func(framework.Variant) bool{
		func(v framework.Variant) bool { return sends(v) && v.Recommended },
		func(v framework.Variant) bool { return plain(v) && r >= 0 && v.Transport == table[r].Transport },
		plain,
	} {
		if at := slices.IndexFunc(table, fits); at >= 0 {
			return at
		}
	}
	return -1
}

// without are the frameworks that the set has no variant of, though they are
// wanted and not references.
func (o *Options) without(table []framework.Variant) (names []string) {
	for _, v := range table {
		missing := o.oneCodec() && o.wants(v.Framework) && v.Rank != framework.Reference && !v.StandIn && protobufOf(v.Framework, table) < 0
		if missing && !slices.Contains(names, v.Framework) {
			names = append(names, v.Framework)
		}
	}
	return names
}

// checkVariants wants names that there are.
func (o *Options) checkVariants(table []framework.Variant) error {
	if _, err := OneOf(setAll, setRecommended, setProtobuf, setBeside)(o.Set); err != nil {
		return fmt.Errorf("-set: %w", err)
	}
	var known []string
	for _, v := range table {
		if !slices.Contains(known, v.Framework) {
			known = append(known, v.Framework)
		}
	}
	for _, name := range o.Frameworks.Values {
		if !slices.Contains(known, name) {
			return fmt.Errorf("-framework: unknown framework %q%s", name, Instead(name, known))
		}
	}
	return nil
}

func (o *Options) wants(name string) bool {
	return len(o.Frameworks.Values) == 0 || slices.Contains(o.Frameworks.Values, name)
}

// given are the targets of -server.
func (o *Options) given(table []framework.Variant) (list []Target, err error) {
	for _, s := range o.Servers.Values {
		t, err := s.target(table, o.Certificates)
		if err != nil {
			return nil, fmt.Errorf("-server=%s: %w", s.text, err)
		}
		if slices.ContainsFunc(list, func(other Target) bool { return other.ID() == t.ID() }) {
			return nil, fmt.Errorf("-server=%s: %s has a server already; measure one after the other", s.text, t.ID())
		}
		t.Peer = o.Peer
		list = append(list, t)
	}
	return list, nil
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
