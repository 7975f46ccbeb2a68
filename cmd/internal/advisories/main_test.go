package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestListed finds what the adapter of avro lists.
func TestListed(t *testing.T) {
	known, err := listed("../../../codecs/adapters")
	require.NoError(t, err)
	assert.Contains(t, known, "GO-2026-5046")
	for _, id := range known {
		assert.Regexp(t, `^GO-\d{4}-\d+$`, id)
	}
}

func TestJudge(t *testing.T) {
	const one, two = "Vulnerability #1: GO-2000-0001\n    made up\n", "\nVulnerability #2: GO-2000-0002\n"
	for _, c := range []struct {
		about, said string
		known       []string
		why         string
	}{
		{"one that is known", one, []string{"GO-2000-0001"}, ""},
		{"two that are", one + two, []string{"GO-2000-0002", "GO-2000-0001"}, ""},
		{"nothing is known", one, nil, "GO-2000-0001 is not known: no entry has it in its Advisories"},
		{"one of two is", one + two, []string{"GO-2000-0001"}, "GO-2000-0002 is not known: no entry has it in its Advisories"},
		{"the beginning of another", one, []string{"GO-2000-00011", "GO-2000-000"}, "GO-2000-0001 is not known: no entry has it in its Advisories"},
		{"another format", "GO-2000-0001\n", []string{"GO-2000-0001"}, "govulncheck found something, but names nothing"},
	} {
		err := judge(c.said, c.known)
		if c.why == "" {
			assert.NoError(t, err, c.about)
		} else {
			assert.EqualError(t, err, c.why, c.about)
		}
	}
}
