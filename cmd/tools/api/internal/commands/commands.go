package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Lines are the flags and exit codes of programs, each in a line.
func Lines(programs []Program) (lines []string, err error) {
	all := ends()
	for _, p := range programs {
		flags, e := p.flags()
		codes, f := p.codes(all)
		lines, err = slices.Concat(lines, flags, codes), errors.Join(err, e, f)
	}
	for _, e := range all {
		if !slices.ContainsFunc(programs, func(p Program) bool { return p.Name == e.program }) {
			err = errors.Join(err, fmt.Errorf("%s: there is no such program any more: remove it from ends.go", e.program))
		}
	}
	return lines, err
}

// flags are those in the help of a program.
func (p Program) flags() (lines []string, err error) {
	code, stdout, stderr, err := p.run(end{args: []string{"-h"}})
	for _, f := range Flags(stdout + stderr) {
		lines = append(lines, p.Name+" "+f)
	}
	slices.Sort(lines)
	return append(lines, fmt.Sprintf("%s, exit code %d: help", p.Name, code)), err
}

// codes runs a program in each of the ways in which it ends, sorted by the exit code.
func (p Program) codes(all []end) (lines []string, err error) {
	for _, e := range all {
		if e.program != p.Name {
			continue
		}
		code, _, _, failed := p.run(e)
		lines, err = append(lines, fmt.Sprintf("%s, exit code %d: %s", p.Name, code, e.why)), errors.Join(err, failed)
	}
	if len(lines) == 0 {
		err = fmt.Errorf("%s: a program that has come: say in ends.go how it ends", p.Name)
	}
	slices.SortFunc(lines, strings.Compare)
	return lines, err
}
