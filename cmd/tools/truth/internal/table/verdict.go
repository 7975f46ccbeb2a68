package table

import (
	"fmt"
	"math"
	"time"

	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/planted"
	"github.com/rpcbench/rpcbench/cmd/tools/truth/internal/tool"
)

// How far a tool may be off and still be right.
const (
	timesWithin  = .10
	timeSlack    = time.Millisecond // or by this beside how late the server itself was
	callsWithin  = .005
	errorsWithin = .05
	errorsFew    = .002 // of the calls asked for: those that a tool breaks off at the end, say
)

// The verdicts that have no figure.
const (
	right      = "right"
	closedLoop = "closed loop"
	noRun      = "failed"
)

// verdict says in a word or three what is wrong with what a tool says; a plus says that more
// is.
func (r row) verdict() string {
	switch {
	case r.runs == 0:
		return noRun
	case r.Closed:
		return closedLoop
	}
	var wrong []string
	for _, w := range []string{r.wrongTime(), r.wrongCalls(), r.wrongErrors()} {
		if w != "" {
			wrong = append(wrong, w)
		}
	}
	switch len(wrong) {
	case 0:
		return right
	case 1:
		return wrong[0]
	}
	return wrong[0] + " +"
}

// wrongTime is the percentile that is off most; "" if none is off too far.
func (r row) wrongTime() string {
	told, worst, say := 0, 0., ""
	for _, p := range []struct {
		name       string
		said, true time.Duration
		late       time.Duration // the server
	}{
		{"p50", r.Said.P50, r.Truth.P50, r.Server.P50},
		{"p95", r.Said.P95, r.Truth.P95, r.Server.P95},
		{"p99", r.Said.P99, r.Truth.P99, r.Server.P99},
		{"max", r.Said.Max, r.Truth.Max, r.Server.Max},
	} {
		if p.said == 0 || p.true == 0 {
			continue
		}
		if told++; r.Kind.Failing() && p.name != "p50" {
			continue // failures are planted, and not the few ms that a machine takes
		}
		off := float64(p.said)/float64(p.true) - 1
		if (p.said-p.true).Abs() > p.late+timeSlack && math.Abs(off) > max(timesWithin, worst) {
			worst, say = math.Abs(off), p.name+" "+percent(off)
		}
	}
	if told == 0 {
		return "no times"
	}
	return say
}

// wrongCalls says how many calls are lost without a word; "" if hardly any.
func (r row) wrongCalls() string {
	share := float64(r.lost) / float64(max(r.Asked, 1))
	if share <= callsWithin {
		return ""
	}
	return fmt.Sprintf("lost %.0f %%", max(100*share, 1))
}

// wrongErrors says how many errors too few or too many the tool counts; "" if it is right.
func (r row) wrongErrors() string {
	said, failed := float64(max(r.Said.Failed, 0)), float64(r.Failed)
	if r.Kind == planted.Dropping && r.Protocol == tool.GRPC { // calls can fail before the server sees them
		failed = min(max(said, failed), failed+float64(max(r.Asked-r.Made, 0)))
	}
	switch off := math.Abs(said - failed); {
	case off <= max(errorsWithin*failed, errorsFew*float64(r.Asked)):
		return ""
	case failed == 0:
		return "false errors"
	case said == 0:
		return "no errors"
	case r.Failures > 0 && math.Abs(said/float64(r.Failures)-1) <= errorsWithin:
		return "unread" // it looks at statuses, and not at what comes with them
	}
	return "errors " + percent(said/failed-1)
}

// percent is a share with its sign, at most four figures of it.
func percent(share float64) string {
	if share >= 10 {
		return fmt.Sprintf("×%.0f", share+1)
	}
	return fmt.Sprintf("%+.0f %%", 100*share)
}
