package rig

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/plan"
)

func TestConnectionsThatWereNotAskedFor(t *testing.T) {
	unknown := errors.New("unknown")
	ten, pool, short := plan.Asked{Least: 10, Most: 10}, plan.Asked{Least: 1, Most: 100}, plan.Asked{Least: 0, Most: 100}
	for _, c := range []struct {
		about string
		found Connected
		asked plan.Asked
		want  string
	}{
		{"as many as were asked for", Connected{Client: 10, server: 10}, ten, ""},
		{"none", Connected{}, ten, "0 connections to the server where 10 are opened: calls took another way, as through a proxy, or the framework had closed them"},
		{"none, though the server has as many", Connected{server: 10}, ten, "0 connections to the server where 10 are opened: calls took another way, as through a proxy, or the framework had closed them"},
		{"fewer", Connected{Client: 9, server: 9}, ten, "9 connections to the server where 10 are opened: the framework opened or kept fewer"},
		{"more", Connected{Client: 11, server: 11}, ten, "11 connections to the server where 10 are opened: the framework opened more"},
		{"more, of which some are of a client before", Connected{Client: 11, server: 11, lingers: true}, ten, ""},
		{"fewer are too few then too", Connected{Client: 9, server: 9, lingers: true}, ten, "9 connections to the server where 10 are opened: the framework opened or kept fewer"},
		{"a part of a pool", Connected{Client: 60, server: 60}, pool, ""},
		{"an empty pool", Connected{}, pool, "0 connections to the server where 1 to 100 are opened: calls took another way, as through a proxy, or the framework had closed them"},
		{"more than callers", Connected{Client: 101, server: 101}, pool, "101 connections to the server where 1 to 100 are opened: the framework opened more"},
		{"none where calls close theirs", Connected{}, short, ""},
		{"one at the server for all of the client", Connected{Client: 10, server: 1}, ten, "1 connections at the server where 10 are opened: something between both sides has connections of its own"},
		{"none at the server", Connected{Client: 10}, ten, "0 connections at the server where 10 are opened: something between both sides has connections of its own"},
		{"more at the server", Connected{Client: 10, server: 20}, ten, "20 connections at the server where 10 are opened: something between both sides has connections of its own"},
		{"a server that does not tell", Connected{Client: 10, ServerErr: unknown}, ten, ""},
		{"a client whose system does not tell", Connected{clientErr: unknown, server: 10}, ten, ""},
		{"neither tells", Connected{clientErr: unknown, ServerErr: unknown}, ten, ""},
	} {
		assert.Equal(t, c.want, c.found.Doubt(c.asked), c.about)
	}
}
