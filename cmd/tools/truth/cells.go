//go:build unix

package main

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/cell"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/own"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// cells returns the cells of the modes whose names match, by kind, protocol and mode.
func cells(modes []tool.Mode, only *regexp.Regexp) (all []cell.Cell, err error) {
	for _, kind := range planted.Kinds() {
		for _, rate := range kind.Rates() {
			for _, protocol := range []tool.Protocol{tool.HTTP, tool.GRPC} {
				all = append(all, matching(modes, kind, rate, protocol, only)...)
			}
		}
	}
	if len(all) == 0 {
		err = fmt.Errorf("-only=%s: no cell matches; -list without -only lists all", only)
	}
	return all, err
}

// cheapest are the modes of others that keep a rate of 1,000 calls/s and more with the least CPU.
func cheapest() []string { return []string{"vegeta default", "fortio 100 connections"} }

func matching(modes []tool.Mode, kind planted.Kind, rate int, p tool.Protocol, only *regexp.Regexp) (all []cell.Cell) {
	for _, m := range modes {
		c := cell.Cell{Kind: kind, Rate: rate, Mode: m}
		if m.Protocol == p && has(kind, m) && only.MatchString(c.Name()) {
			all = append(all, c)
		}
	}
	return all
}

// has reports whether a mode is measured against a kind of server.
func has(kind planted.Kind, m tool.Mode) bool {
	loose := m.Tool == own.Tool && m.Name == own.Loose
	switch kind {
	case planted.Queue:
		return !loose
	case planted.Plain:
		return m.Protocol == tool.HTTP && !m.Random && (m.Tool == own.Tool || slices.Contains(cheapest(), m.Tool+" "+m.Name))
	}
	return !m.Random && !loose
}
