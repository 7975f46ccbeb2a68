package example

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/rpcbench/rpcbench/loadgen"
	"github.com/rpcbench/rpcbench/loadgen/progress"
)

// metrics are what Prometheus reads of a run under way.
type metrics struct {
	calls, responses *prometheus.Desc

	mu         sync.Mutex
	ok, failed int64
	all        loadgen.Histogram // responses; it has more buckets than Prometheus gets
}

func newMetrics() *metrics {
	return &metrics{
		calls:     prometheus.NewDesc("loadgen_calls_total", "Calls that have ended.", []string{"result"}, nil),
		responses: prometheus.NewDesc("loadgen_response_seconds", "Time from when a call was due to its end.", nil, nil),
	}
}

// add is a Config.OnProgress.
func (m *metrics) add(p loadgen.Progress) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ok += p.Last.OK
	m.failed += p.Last.Failed
	m.all.Merge(p.Responses)
	return nil
}

func (m *metrics) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(m, to) }

func (m *metrics) Collect(to chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	to <- prometheus.MustNewConstMetric(m.calls, prometheus.CounterValue, float64(m.ok), "ok")
	to <- prometheus.MustNewConstMetric(m.calls, prometheus.CounterValue, float64(m.failed), "failed")
	buckets := map[float64]uint64{} // how many responses took no longer
	for bound := 100 * time.Microsecond; bound < time.Minute; bound *= 2 {
		buckets[bound.Seconds()] = uint64(m.all.Count() - m.all.Over(bound))
	}
	sum := m.all.Mean().Seconds() * float64(m.all.Count())
	to <- prometheus.MustNewConstHistogram(m.responses, uint64(m.all.Count()), sum, buckets)
}

// TestMetrics looks at a run as Prometheus does, beside a line on the terminal.
func TestMetrics(t *testing.T) {
	m, registry := newMetrics(), prometheus.NewRegistry()
	registry.MustRegister(m)
	page := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer page.Close()
	server := httptest.NewServer(http.HandlerFunc(service))
	defer server.Close()

	cfg := loadgen.Config{Workers: 100, Schedule: loadgen.Constant(200), Duration: time.Second / 2, Interval: time.Second / 10, Timeout: 10 * time.Second}
	tell := progress.Print(os.Stderr, cfg)
	cfg.OnProgress = func(p loadgen.Progress) error { return errors.Join(tell(p), m.add(p)) }
	res, err := loadgen.Run(t.Context(), cfg, call(server))
	if err != nil {
		t.Fatal(err)
	}
	metrics := scrape(t, page.URL)
	for _, want := range []string{
		fmt.Sprintf("loadgen_calls_total{result=\"ok\"} %d\n", res.OK),
		fmt.Sprintf("loadgen_calls_total{result=\"failed\"} %d\n", res.Failed),
		fmt.Sprintf("loadgen_response_seconds_bucket{le=\"0.0016\"} %d\n", res.Sent-res.Response.Over(1600*time.Microsecond)),
		fmt.Sprintf("loadgen_response_seconds_count %d\n", res.Sent),
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %q in:\n%s", want, metrics)
		}
	}
}

// scrape returns the metrics of a page.
func scrape(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
