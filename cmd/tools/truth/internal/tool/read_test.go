package tool

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// us is a time in microseconds.
func us(n int) time.Duration { return time.Duration(n) * time.Microsecond }

// TestRead reads real reports, cut down. Of 20 calls the server answered one with the status
// 500 and one with a wrong body, and dropped none; in hey's and wrk's it closed the connection
// of one call of 50.
func TestRead(t *testing.T) {
	for _, row := range []struct {
		dir  string
		mode Mode
		want Said
		what string
	}{
		{"fortio-http", fortio("")[0], Said{us(5835), us(7947), us(11556), us(26561), 1900, 100, 252}, "statuses fail, and it warns of calls that it did not make"},
		{"fortio-grpc", fortio("")[2], Said{us(6510), us(8333), us(10857), us(18763), 1800, 200, -1}, "NOT_SERVING fails too"},
		{"ghz", ghz("")[0], Said{us(6211), us(9252), us(15143), us(34232), 1900, 100, -1}, "codes fail"},
		{"hey", hey("")[0], Said{us(8100), us(17800), us(29500), us(40500), 1960, 40, -1}, "calls without an answer fail"},
		{"hey-statuses", hey("")[0], Said{us(7000), us(10500), us(15900), us(17300), 1900, 100, -1}, "statuses fail"},
		{"bombardier", bombardier("")[0], Said{us(5768), us(6870), us(9802), us(13472), 1904, 101, -1}, "statuses fail"},
		{"k6-http", k6("")[0], Said{us(6011), us(6491), us(8738), us(13151), 1801, 200, 0}, "the check has bodies too"},
		{"k6-grpc", k6("")[2], Said{us(6114), us(20178), us(30217), us(52273), 1800, 201, 0}, "the check has NOT_SERVING too"},
		{"oha", oha("")[0], Said{us(5864), us(6281), us(8679), us(39369), 1897, 104, -1}, "calls broken off at the end fail"},
		{"autocannon", autocannon("")[0], Said{us(6000), 0, us(17000), us(28000), 1910, 101, -1}, "statuses fail"},
		{"wrk", wrk("")[0], Said{us(5910), us(7139), us(9428), us(12318), 6479, 132, -1}, "connections fail"},
		{"ab", ab("")[0], Said{us(5394), us(5551), us(5730), us(6777), 703, 37, -1}, "statuses fail"},
		{"h2load", h2load("")[0], Said{us(6001), us(6200), us(6271), us(6271), 1900, 100, -1}, "statuses fail"},
	} {
		dir := filepath.Join("testdata", row.dir)
		out, err := os.ReadFile(filepath.Join(dir, "stdout"))
		if row.mode.Tool != "fortio" {
			require.NoError(t, err)
		}
		said, err := row.mode.Read(Target{Dir: dir}, out)
		require.NoError(t, err, row.dir)
		assert.Equal(t, row.want, rounded(said), "%s: %s", row.dir, row.what)
	}
}

// rounded has the times of a report in microseconds.
func rounded(s Said) Said {
	for _, d := range []*time.Duration{&s.P50, &s.P95, &s.P99, &s.Max} {
		*d = d.Round(time.Microsecond)
	}
	return s
}

// TestVegeta has a program in vegeta's place print what vegeta report has printed.
func TestVegeta(t *testing.T) {
	report, err := filepath.Abs("testdata/vegeta/report.json")
	require.NoError(t, err)
	said, err := vegeta(fake(t, t.TempDir(), "vegeta", "cat "+report))[0].Read(Target{}, nil)
	require.NoError(t, err)
	assert.Equal(t, Said{us(6023), us(6673), us(8380), us(16192), 1900, 100, -1}, rounded(said))

	failing := fake(t, t.TempDir(), "vegeta", "echo no results >&2; exit 1")
	_, err = vegeta(failing)[0].Read(Target{}, nil)
	assert.EqualError(t, err, "vegeta report: exit status 1: no results")
}

// TestReadNothing: a tool that ended without a report is an error, not a row of zeros.
func TestReadNothing(t *testing.T) {
	program := fake(t, t.TempDir(), "vegeta", "true")
	for _, m := range Modes("") {
		if m.Tool == "vegeta" {
			m = vegeta(program)[0]
		}
		_, err := m.Read(Target{Dir: t.TempDir()}, []byte("it went wrong\n"))
		assert.ErrorContains(t, err, "", m.Tool)
		if err != nil {
			assert.NotContains(t, err.Error(), "\n", m.Tool)
		}
	}
	_, err := k6("")[0].Read(Target{}, []byte(`{"iterations": {"values": {"count": 5}}}`))
	assert.EqualError(t, err, "it has had no reply to check")
	_, err = ghz("")[0].Read(Target{}, []byte(`{"slowest": "five"}`))
	assert.ErrorContains(t, err, "its report cannot be read: json: ")
}

// TestFortioWarnings: without a report, the reason is in what fortio warned of.
func TestFortioWarnings(t *testing.T) {
	target := Target{Dir: t.TempDir()}
	require.NoError(t, target.write("warnings", []byte("Fortio 1.67.1 running\n{\"msg\":\"Error: no host\"}\n")))
	_, err := fortio("")[0].Read(target, nil)
	assert.EqualError(t, err, `fortio has written no report: {"msg":"Error: no host"}`)
}

// TestRanks takes percentiles by the nearest rank: of 200 calls p99 is the 198th.
func TestRanks(t *testing.T) {
	var said Said
	said.ranks(nil)
	assert.Zero(t, said)
	var times []time.Duration
	for n := 200; n > 0; n-- {
		times = append(times, us(n))
	}
	said.ranks(times)
	assert.Equal(t, Said{P50: us(100), P95: us(190), P99: us(198), Max: us(200)}, said)
}
