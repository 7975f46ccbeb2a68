package loadgen

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"
	"time"
)

// BenchmarkMemory measures the memory of a run of b.N seconds by 1,000 workers whose
// calls do nothing. Memory must not grow with time: growth-MB is its growth from the
// first fifth of the run to the end. Use -benchtime=60x.
func BenchmarkMemory(b *testing.B) {
	for _, c := range []struct {
		name     string
		schedule Schedule
	}{{"closed", ClosedLoop}, {"open", Constant(100_000)}} {
		b.Run("loop="+c.name, func(b *testing.B) {
			var rss []float64
			_, err := Run(context.Background(), Config{
				Workers: 1000, Schedule: c.schedule, Duration: time.Duration(b.N) * time.Second,
				OnProgress: func(Progress) error { rss = append(rss, residentMB()); return nil },
			}, nop)
			if err != nil {
				b.Fatal(err)
			}
			rss = append(rss, residentMB())
			b.ReportMetric(rss[len(rss)-1], "rss-MB")
			b.ReportMetric(rss[len(rss)-1]-rss[len(rss)/5], "growth-MB")
		})
	}
}

// residentMB is the memory of this process that is resident now.
func residentMB() float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	kB := 0.
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fmt.Sscanf(lines.Text(), "VmRSS: %f kB", &kB)
	}
	return kB / 1024
}
