package link

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/internal/line"
)

// BenchmarkRoundTrip is how far pings are from what a line is asked for, while TCP carries
// more or less over it. Its N is of no importance.
//
//	go test -run '^$' -bench RoundTrip -benchtime=1x .
func BenchmarkRoundTrip(b *testing.B) {
	for _, delay := range []time.Duration{1, 5, 20, 100} {
		for _, mb := range []int{0, 10, 50, 100, 200} {
			b.Run(fmt.Sprintf("delay=%dms/load=%dMB", delay, mb), func(b *testing.B) {
				l := newLinkOf(b, Config{Shape: line.Shape{Delay: delay * time.Millisecond}, Buffers: 64 << 20})
				near, far := connect(b, l)
				go io.Copy(io.Discard, far)
				if mb > 0 {
					go keepSending(near, mb)
					time.Sleep(20 * delay * time.Millisecond) // TCP starts slowly
				}
				before, err := l.Counts()
				require.NoError(b, err)
				start := time.Now()
				trips, err := l.ping(2 * time.Second)
				require.NoError(b, err)
				after, err := l.Counts()
				require.NoError(b, err)
				c, t := after.Since(before), Trial{trips: trips}
				b.ReportMetric(t.RoundTrip(.5).Seconds()*1e3, "p50-ms")
				b.ReportMetric(t.RoundTrip(.99).Seconds()*1e3, "p99-ms")
				b.ReportMetric(float64(c.There.Bytes)/time.Since(start).Seconds()/1e6, "MB/s")
				b.ReportMetric(100*c.CPU.Seconds()/time.Since(start).Seconds(), "busy-%")
				b.ReportMetric(float64(c.Unintended), "unintended")
			})
		}
	}
}

// keepSending sends at a rate, in megabytes a second, until the connection is closed.
func keepSending(c net.Conn, mb int) {
	const part = 64 << 10
	buf, start, sent := make([]byte, part), time.Now(), 0
	for {
		for due := int(time.Since(start).Seconds() * float64(mb) * 1e6); sent < due; sent += part {
			if _, err := c.Write(buf); err != nil {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// BenchmarkPackets sends N packets of 1,500 bytes, 70,000 a second.
//
//	go test -run '^$' -bench Packets -benchtime=10000000x .
func BenchmarkPackets(b *testing.B) {
	l := newLink(b, line.Shape{Delay: time.Millisecond})
	p, err := l.pour(b.N, 70_000)
	require.NoError(b, err)
	c, err := l.Counts()
	require.NoError(b, err)
	b.ReportMetric(float64(p.sent-p.got), "lost")
	b.ReportMetric(float64(c.Unintended), "unintended")
	b.ReportMetric(float64(c.CPU.Nanoseconds())/float64(p.sent), "cpu-ns/packet")
}
