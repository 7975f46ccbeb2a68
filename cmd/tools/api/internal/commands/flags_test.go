package commands

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		about, help string
		want        []string
	}{
		{"a flag without a value", "  -quiet                    no progress\n", []string{"-quiet"}},
		{"what it takes, and its default", "  -n rounds                 rounds to run (6)\n", []string{"-n rounds = 6"}},
		{"a default in a later line", "  -size sizes               sizes, as in\n                            1KiB (64B,1KiB)\n", []string{"-size sizes = 64B,1KiB"}},
		{"a long name", "  -server-cpuprofile-of-all file\n                            a profile\n", []string{"-server-cpuprofile-of-all file"}},
		{"as package flag prints it", "  -o directory\n    \tto write into (default \"x\")\n  -partial\n    \tmerge what is there\n", []string{"-o directory = \"x\"", "-partial"}},
		{"brackets within are no default", "  -a b                      one (or two) of them\n", []string{"-a b"}},
		{"what stands behind is not of the last flag", "  -a b                      one\n\nMore (see there)\n", []string{"-a b"}},
	} {
		assert.Equal(t, c.want, Flags(c.help), c.about)
	}
}

// TestEveryEndIsOfAProgram: a program without an end, and an end without a program, are told.
func TestEveryEndIsOfAProgram(t *testing.T) {
	_, err := Lines([]Program{{"another", "/bin/true"}})
	assert.ErrorContains(t, err, "another: a program that has come: say in ends.go how it ends")
	assert.ErrorContains(t, err, "load: there is no such program any more: remove it from ends.go")
}
