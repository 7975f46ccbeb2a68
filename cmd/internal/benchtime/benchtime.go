// Package benchtime reads what a benchmark binary's arguments say of its time.
package benchtime

import "strings"

// Of returns the value of the last -test.benchtime, as in 0.5s or 1000x; package
// testing itself gives a case a second.
func Of(args []string) string {
	given := "1s"
	for _, arg := range args {
		if v, found := strings.CutPrefix(strings.TrimLeft(arg, "-"), "test.benchtime="); found {
			given = v
		}
	}
	return given
}
