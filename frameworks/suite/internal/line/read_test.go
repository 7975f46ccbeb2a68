package line

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestRead(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		about, name string
		want        Shape
	}{
		{"a delay", "delay-1ms", Shape{Delay: ms}},
		{"a rate, in units of 1,000", "rate-1gbit", Shape{Rate: 1e9}},
		{"a rate with a fraction", "rate-2.5mbit", Shape{Rate: 2_500_000}},
		{"all words", "delay-500us_rate-64kbit_jitter-1s_loss-0.1%_queue-64KiB", Shape{Delay: ms / 2, Rate: 64_000, Jitter: 1000 * ms, Loss: 0.001, Queue: 64 << 10}},
		{"everything is lost", "loss-100%", Shape{Loss: 1}},
		{"a line of grpc-go's benchmark", "grpc-lan", Shape{Delay: 2 * ms, Rate: 104_857_600}},
	} {
		got, err := Read(c.name)
		assert.NoError(t, err, c.about)
		assert.Equal(t, c.want, got, c.about)
	}
	for _, name := range Modes() {
		s, err := Read(name)
		assert.NoError(t, err)
		assert.NotZero(t, s)
	}
	for _, name := range Words() {
		if _, err := Read(name); err != nil {
			_, err = Read("rate-1gbit_" + name)
			assert.NoError(t, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ about, name, want string }{
		{"an unknown word", "dealy-5ms", `unknown "dealy-5ms"`},
		{"nothing", "", `unknown ""`},
		{"an empty word", "delay-5ms_", `unknown ""`},
		{"a word without a value", "delay", "delay: want a time above 0 and up to 10s, as in delay-5ms"},
		{"no time", "delay-0s", "delay-0s: want a time above 0 and up to 10s, as in delay-5ms"},
		{"a time without a unit", "jitter-5", "jitter-5: want a time above 0 and up to 10s, as in jitter-1ms"},
		{"two rates", "rate-1gbit_rate-2gbit", "rate-1gbit_rate-2gbit: a line has one rate"},
		{"two rates apart", "rate-1gbit_loss-1%_rate-2gbit", "rate-1gbit_loss-1%_rate-2gbit: a line has one rate"},
		{"another order", "loss-1%_delay-5ms", "loss-1%_delay-5ms: write it in the order delay, rate, jitter, loss, queue, so that a line has one name"},
		{"loss over 100 %", "loss-101%", "loss-101%: want a percentage above 0% and up to 100%, as in loss-0.1%"},
		{"loss without a sign", "loss-1", "loss-1: want a percentage above 0% and up to 100%, as in loss-0.1%"},
		{"a number of another form", "loss-1e1%", "loss-1e1%: want a percentage above 0% and up to 100%, as in loss-0.1%"},
		{"a rate in bytes", "rate-1MB", "rate-1MB: want bits per second in kbit, mbit or gbit, from 10kbit to 100gbit, as in rate-100mbit"},
		{"a rate beyond what can be", "rate-1000gbit", "rate-1000gbit: want bits per second in kbit, mbit or gbit, from 10kbit to 100gbit, as in rate-100mbit"},
		{"a queue without a rate", "queue-64KiB", "queue: without a rate nothing waits: add one, as in rate-100mbit_queue-256KiB"},
		{"a queue that holds no packet", "rate-1mbit_queue-1KiB", "queue: 1024 bytes do not hold a packet of 1514"},
	} {
		_, err := Read(c.name)
		assert.EqualError(t, err, c.want, c.about)
	}
}
