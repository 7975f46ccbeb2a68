package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/anatomy"
)

// parts are further lines of the table of parts, as the flag -part takes them.
type parts map[string]string

// String implements flag.Value.
func (p parts) String() string { return "" }

// Set implements flag.Value.
func (p parts) Set(text string) error {
	begins, part, found := strings.Cut(text, "=")
	if !found || begins == "" {
		return fmt.Errorf("must be BEGINNING=PART, as in github.com/me/rpc=framework")
	}
	var names []string
	for _, one := range anatomy.Parts() {
		names = append(names, one.Name)
	}
	if !slices.Contains(names, part) {
		return fmt.Errorf("there is no part %q: there are %s", part, strings.Join(names, ", "))
	}
	p[begins] = part
	return nil
}
