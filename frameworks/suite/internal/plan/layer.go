package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
)

// WithLayers returns v with the layers of a stack around it. It represents its framework as
// much as v does.
func WithLayers(v framework.Variant, s framework.Stack) (framework.Variant, error) {
	if lacks := lackedBy(v, s); len(lacks) > 0 {
		return v, fmt.Errorf("%s lacks %s", v.ID(), strings.Join(lacks, " and "))
	}
	w := v.Layers.With(s)
	w.With, w.Layers, w.Windows, w.Recommended = s.String(), nil, nil, v.Recommended
	for _, l := range s.List() {
		w.About += "; " + string(l) + ": " + v.Layers.Has[l]
	}
	return w, nil
}

// Wrapped returns variants, with those that -with makes of them. They have no certificates.
func (o *Options) Wrapped(table []framework.Variant) []framework.Variant {
	all := slices.Clone(table)
	for _, v := range table {
		for _, s := range o.Layers.Values {
			if w, err := WithLayers(v, s); err == nil {
				all = append(all, w)
			}
		}
	}
	return all
}

// lackedBy lists the layers of a stack that a variant cannot be given.
func lackedBy(v framework.Variant, s framework.Stack) (names []string) {
	for _, l := range s.List() {
		if v.Layers == nil || v.Layers.Has[l] == "" {
			names = append(names, string(l))
		}
	}
	return names
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

// withLayers returns the targets, each before itself with the stacks of -with that it can
// have.
func (p *Plan) withLayers(targets []Target) (list []Target, err error) {
	o := p.options
	if len(o.Layers.Values) == 0 {
		return targets, nil
	}
	has := map[string]bool{} // framework and layers → one of its variants has them
	for _, t := range targets {
		list = append(list, t)
		for _, s := range o.Layers.Values {
			if len(lackedBy(t.Variant, s)) > 0 || t.Window != "" {
				continue
			}
			if s, err = s.Certified(o.Certificates); err != nil {
				return nil, fmt.Errorf("-with: %w", err)
			}
			w, err := WithLayers(t.Variant, s)
			if err != nil {
				return nil, err
			}
			has[t.Framework+s.String()] = true
			if !slices.ContainsFunc(list, func(t Target) bool { return t.ID() == w.ID() }) {
				list = append(list, Target{Variant: w})
			}
		}
	}
	return list, p.noteLacking(targets, has)
}

// CheckCertificates returns an error if those of -certs lack what a target needs: servers
// that run already have theirs.
func (p *Plan) CheckCertificates(c *framework.Certificates) error {
	for _, t := range p.Targets {
		s, flag := t.Stack(), "-with="+t.With
		if t.Given != "" {
			flag = "-server=" + t.ID() + "@" + t.Given
		}
		switch {
		case s.Has(framework.MTLS) && len(c.ClientCert) == 0:
			return fmt.Errorf("%s: -certs has no client.pem, which mtls needs", flag)
		case s.TLS() && t.Given == "" && len(c.ServerCert) == 0:
			return fmt.Errorf("%s: -certs has no server.pem", flag)
		}
	}
	return nil
}

// noteLacking notes the frameworks that lack layers which were asked for. It is an error if
// none has any of the stacks: of several, each binary of one framework measures what it has.
func (p *Plan) noteLacking(targets []Target, has map[string]bool) error {
	for _, s := range p.options.Layers.Values {
		var lack []string
		for _, t := range targets {
			if !has[t.Framework+s.String()] && !slices.Contains(lack, t.Framework) {
				lack = append(lack, t.Framework)
			}
		}
		text := strings.Join(lack, ", ")
		if len(has) == 0 && len(targets) > 0 {
			return fmt.Errorf("-with=%v: no variant that is selected has it: %s%s", s, text, p.whoHas(s))
		}
		if text != "" {
			p.notes = append(p.notes, fmt.Sprintf("-with=%v: lacked by %s", s, text))
		}
	}
	return nil
}

// whoHas is the end of a sentence: which frameworks of the table have a stack.
func (p *Plan) whoHas(s framework.Stack) string {
	var names []string
	for _, t := range p.table {
		if len(lackedBy(t.Variant, s)) == 0 && !slices.Contains(names, t.Framework) {
			names = append(names, t.Framework)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "; these have: " + strings.Join(names, ", ")
}
