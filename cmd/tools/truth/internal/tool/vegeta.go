package tool

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"time"
)

// vegeta starts a call at each due time whatever the earlier ones do, since by default there
// is no end to its workers. -max-workers gives it one: calls that find no worker start later,
// and their times leave out how late they are.
func vegeta(program string) []Mode {
	mode := func(name, options string, extra ...string) Mode {
		return Mode{
			Tool: "vegeta", Name: name, Protocol: HTTP, Options: options,
			Command: func(t Target) ([]string, error) { return vegetaCommand(program, t, extra) },
			Read:    func(t Target, _ []byte) (Said, error) { return vegetaRead(program, t) },
		}
	}
	return []Mode{
		mode("default", "-rate=R/1s"),
		mode("8 workers", "-rate=R/1s -max-workers=8", "-max-workers=8"),
	}
}

func vegetaCommand(program string, t Target, extra []string) ([]string, error) {
	method := "GET "
	if t.Post {
		method = "POST "
	}
	err := errors.Join(t.write("targets", []byte(method+t.url()+"\n")), t.payload())
	args := []string{program, "attack", "-targets=" + t.file("targets"), "-output=" + t.file("results"), "-rate=" + t.rate() + "/1s", "-duration=" + t.Duration.String()}
	return append(append(args, extra...), t.post("-body="+t.file("body"))...), err
}

// vegetaRead has vegeta itself make its report of the results. Failed are calls without an
// answer and those with a status below 200 or from 400 on.
func vegetaRead(program string, t Target) (Said, error) {
	out, err := exec.Command(program, "report", "-type=json", t.file("results")).Output()
	if err != nil {
		return Said{}, fmt.Errorf("vegeta report: %w%s", err, stderr(err))
	}
	report, err := parse[struct {
		Latencies struct {
			P50 time.Duration `json:"50th"`
			P95 time.Duration `json:"95th"`
			P99 time.Duration `json:"99th"`
			Max time.Duration `json:"max"`
		} `json:"latencies"`
		Requests int64   `json:"requests"`
		Success  float64 `json:"success"`
	}](out)
	l := report.Latencies
	ok := int64(math.Round(report.Success * float64(report.Requests)))
	return Said{P50: l.P50, P95: l.P95, P99: l.P99, Max: l.Max, OK: ok, Failed: report.Requests - ok, Dropped: -1}, err
}

// stderr is what a program that failed has written last, as a part of an error's text.
func stderr(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return ": " + reason(strings.TrimSpace(string(exit.Stderr)))
	}
	return ""
}
