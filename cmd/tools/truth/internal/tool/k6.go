package tool

import (
	"errors"
	"strconv"
	"time"
)

// k6 has a fixed rate by its executor constant-arrival-rate. A virtual user makes one call at
// a time: when none is free, the call is dropped, and counted as dropped. In its gRPC mode
// each user has a connection of its own, which it opens in its first call; the more users, the
// more of the calls compete with that.
func k6(program string) []Mode {
	files := map[Protocol][]string{HTTP: {"http.js", "fixed.js"}, GRPC: {"grpc.js", "fixed.js", "health.proto"}}
	mode := func(p Protocol, name, users string, vus func(rate int) int) Mode {
		return Mode{
			Tool: "k6", Name: name, Protocol: p, Options: "constant-arrival-rate, preAllocatedVUs: " + users,
			Command: func(t Target) ([]string, error) {
				return k6Command(program, files[p][0], t, vus(t.Rate)), t.script(files[p]...)
			},
			Read: func(_ Target, out []byte) (Said, error) { return k6Read(p, out) },
		}
	}
	return []Mode{
		mode(HTTP, "8 users", "8", func(int) int { return 8 }),
		mode(HTTP, "many users", "2R", func(rate int) int { return 2 * rate }),
		mode(GRPC, "many users", "R", func(rate int) int { return rate }),
	}
}

func k6Command(program, script string, t Target, users int) []string {
	args := []string{
		program, "run", "--quiet", "--no-usage-report", "-e", "RATE=" + t.rate(),
		"-e", "DURATION=" + t.Duration.String(), "-e", "VUS=" + strconv.Itoa(users),
	}
	if t.Protocol == GRPC {
		return append(args, "-e", "ADDRESS="+t.Address, t.file(script))
	}
	args = append(args, t.post("-e", "BODY="+body)...)
	return append(args, "-e", "URL="+t.url(), t.file(script))
}

// k6Read takes what the script's check says of status and body. Dropped are its
// dropped_iterations.
func k6Read(p Protocol, out []byte) (Said, error) {
	metrics, err := parse[map[string]struct {
		Values struct {
			P50    float64 `json:"med"`
			P95    float64 `json:"p(95)"`
			P99    float64 `json:"p(99)"`
			Max    float64 `json:"max"`
			Passes int64   `json:"passes"`
			Fails  int64   `json:"fails"`
			Count  int64   `json:"count"`
		} `json:"values"`
	}](out)
	d, checks := metrics[string(p)+"_req_duration"].Values, metrics["checks"].Values
	if err == nil && checks.Passes+checks.Fails == 0 {
		err = errors.New("it has had no reply to check")
	}
	return Said{
		P50: span(d.P50, time.Millisecond), P95: span(d.P95, time.Millisecond),
		P99: span(d.P99, time.Millisecond), Max: span(d.Max, time.Millisecond),
		OK: checks.Passes, Failed: checks.Fails, Dropped: metrics["dropped_iterations"].Values.Count,
	}, err
}
