package layers

import (
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/paired"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
)

// round is when a line of a case was measured.
type round struct {
	file string
	run  int // 0: any
	nth  int // of the case's lines in the run
}

// inRounds pairs bases with others of the same round, if the handshakes of these are what their
// names say. Layers and their base are of one process. Settings are of several, so that the n-th
// lines are of one round as long as none is missing: if one is, all is false.
func inRounds(bases, others []lines.Line, oneProcess bool) (list []paired.Pair, all bool) {
	of, rounds := map[round]lines.Line{}, roundsOf(bases, oneProcess)
	for i, r := range rounds {
		of[r] = bases[i]
	}
	added := roundsOf(others, oneProcess)
	if !oneProcess && !sameFiles(rounds, added) {
		return nil, false
	}
	for i, r := range added {
		if base, ok := of[r]; ok && !unlike(others[i]) {
			list = append(list, paired.Pair{Base: base, Other: others[i]})
		}
	}
	return list, true
}

func roundsOf(list []lines.Line, oneProcess bool) (rounds []round) {
	nth := map[round]int{}
	for _, l := range list {
		r := round{file: l.File()}
		if oneProcess {
			r.run = l.Run
		}
		nth[r]++
		rounds = append(rounds, round{r.file, r.run, nth[r]})
	}
	return rounds
}

// sameFiles reports whether each file with lines of others has the same number of bases.
func sameFiles(bases, others []round) bool {
	more := map[string]int{}
	for _, r := range others {
		more[r.file]++
	}
	for _, r := range bases {
		if _, also := more[r.file]; also {
			more[r.file]--
		}
	}
	for _, n := range more {
		if n != 0 {
			return false
		}
	}
	return true
}
