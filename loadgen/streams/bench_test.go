//go:build unix

package streams

import (
	"context"
	"fmt"
	"io"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// batched is a stream in memory whose Send and Recv cost little: messages change
// hands batch by batch, so that few of them wake a goroutine.
type batched struct {
	out, in    []uint64
	next       int // in in
	full, free chan []uint64
}

const batch = 32

func newBatched() *batched {
	s := &batched{full: make(chan []uint64, 1), free: make(chan []uint64, 3)}
	for range cap(s.free) {
		s.free <- make([]uint64, 0, batch)
	}
	return s
}

func (s *batched) Send(number uint64) error {
	if s.out == nil {
		s.out = <-s.free
	}
	if s.out = append(s.out, number); len(s.out) == batch {
		s.full <- s.out
		s.out = nil
	}
	return nil
}

func (s *batched) Recv() (uint64, error) {
	if s.next == len(s.in) {
		if s.in != nil {
			s.free <- s.in[:0]
		}
		if s.in, s.next = <-s.full, 0; s.in == nil {
			return 0, io.EOF
		}
	}
	s.next++
	return s.in[s.next-1], nil
}

// cpuTime is the CPU time this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMessage is the CPU time of a message beyond that of Send and Recv, which
// are measured apart, with messages due as fast as they can be sent: waiting for due
// times is not part of it.
func BenchmarkMessage(b *testing.B) {
	for _, matching := range []Matching{ByNumber, InOrder, UpTo} {
		for _, n := range []int{1, 100, 10_000} {
			b.Run(fmt.Sprintf("matching=%v/streams=%d", matching, n), func(b *testing.B) {
				messages := (b.N + n*batch - 1) / (n * batch) * n * batch // all batches become full
				alone := sendAlone(n, messages)
				all := sendByLoad(b, matching, n, messages)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(alone)/float64(messages), "alone-ns/msg")
				b.ReportMetric(float64(all-alone)/float64(messages), "cpu-ns/msg")
			})
		}
	}
}

// sendByLoad returns the CPU time of a run.
func sendByLoad(b *testing.B, matching Matching, n, messages int) (cpu time.Duration) {
	list, closeAll := makeBatched(n)
	defer closeAll()
	load, err := New(Config{Matching: matching}, list...)
	if err != nil {
		b.Fatal(err)
	}
	res, err := load.Run(context.Background(), loadgen.Config{
		Schedule: loadgen.Constant(100e6), Calls: int64(messages), RuntimeTimers: true,
		OnStart: func() { b.ReportAllocs(); b.ResetTimer(); cpu = cpuTime() },
		OnStop:  func() { cpu = cpuTime() - cpu; b.StopTimer() },
	})
	if err != nil || res.OK != int64(messages) {
		b.Fatal(err, res)
	}
	return cpu
}

func makeBatched(n int) (list []Stream, closeAll func()) {
	for range n {
		list = append(list, newBatched())
	}
	return list, func() {
		for _, s := range list {
			close(s.(*batched).full)
		}
	}
}

// sendAlone returns the CPU time of as many Sends and Recvs without a Load.
func sendAlone(n, messages int) time.Duration {
	list, closeAll := makeBatched(n)
	defer closeAll()
	var received sync.WaitGroup
	for _, s := range list {
		received.Go(func() {
			for range messages / n {
				s.Recv()
			}
		})
	}
	cpu := cpuTime()
	for i, at := 0, 0; i < messages; i++ {
		list[at].Send(uint64(i))
		if at++; at == n {
			at = 0
		}
	}
	received.Wait()
	return cpuTime() - cpu
}
