package suite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// The codec "known" knows what each of its calls costs: CPU time, allocations of 1 KiB,
// and the size of its encodings, so that a test can say what every column must show.
// Costs differ from message to message, so that a column over a few of them shows
// something else.

// cost is what a call takes on average over any four messages in turn.
type cost struct {
	cpu    time.Duration
	allocs int // of allocBytes each
}

const allocBytes = 1024

// costOf are the costs of the functions of the codec, all different.
var costOf = map[string]cost{
	"append":    {10 * time.Microsecond, 2},
	"marshal":   {20 * time.Microsecond, 4},
	"unmarshal": {40 * time.Microsecond, 6},
	"reset":     {15 * time.Microsecond, 8},
	"touch":     {25 * time.Microsecond, 10},
}

// numbered is a native of 64 bytes that holds the number of its message alone.
type numbered struct {
	number int
	_      [7]int
}

// call is a line of the codec's log.
type call struct {
	Function string
	Number   int
	Took     time.Duration // by the clock
}

// callLog is the log of a process: parallel beds write to it.
type callLog struct {
	calls []call
	next  atomic.Int64
	sink  atomic.Pointer[waste]
}

func (l *callLog) write(function string, number int, start time.Time) {
	if at := l.next.Add(1) - 1; at < int64(len(l.calls)) {
		l.calls[at] = call{function, number, time.Since(start)}
	}
}

// waste has the type of what a call allocates.
type waste [allocBytes]byte

// pay takes what a call costs and writes it into the log.
func (l *callLog) pay(function string, number int) {
	start, c, halves := time.Now(), costOf[function], []int{0, 2, 2, 4}[number%4]
	if function == "reset" { // of the native that the round before left, at first
		halves = 2
	}
	for range c.allocs * halves / 2 {
		l.sink.Store(new(waste))
	}
	burn(c.cpu / 4 * time.Duration(2+halves))
	l.write(function, number, start)
}

// callsFile is the environment variable that has the name of the file into which
// BenchmarkCodec and BenchmarkParallel write the log.
const callsFile = "RPCBENCH_TEST_CALLS"

// knownEntry returns the codec, and what writes its log.
func knownEntry() (e Entry, logged func() error) {
	log := &callLog{calls: make([]call, 20_000)}
	for i := range log.calls {
		log.calls[i] = call{} // in memory before the clock starts
	}
	of := func(kind messages.Kind, size int) Case {
		table := sync.OnceValue(func() knownTable { return newKnownTable(kind, size) })
		return Of(func() Serializer[numbered] { return table().serializer(log) })
	}
	e = Entry{
		Codec: "known", Mode: "planted",
		Bench: of(messages.KindBench, 100), Flat: of(messages.KindFlat, 200),
		Small: of(messages.KindSmall, 300), Large: of(messages.KindLarge, 400),
	}
	return e, func() error {
		file := os.Getenv(callsFile)
		if file == "" {
			return nil
		}
		text, err := json.Marshal(log.calls[:log.next.Load()])
		if err != nil {
			return err
		}
		return os.WriteFile(file, text, 0o600)
	}
}

// knownTable has the encodings of a kind's messages, and the messages' numbers.
type knownTable struct {
	kind      messages.Kind
	encodings [][]byte
	numbers   map[string]int
}

// newKnownTable makes encodings of size bytes for message 0 and one more for each
// next, of 256: the number in two bytes and noise, which nothing compresses.
func newKnownTable(kind messages.Kind, size int) knownTable {
	t := knownTable{kind: kind, numbers: map[string]int{}}
	n := bed.Warm
	if kind.Name == messages.KindSmall.Name {
		n = bed.Cold // the only kind that tests take cold
	}
	for i := range n {
		src := []byte{byte(i >> 8), byte(i)}
		for r := rand.New(rand.NewPCG(uint64(i), 1)); len(src) < size+i%bed.Warm; {
			src = append(src, byte(r.Uint32()))
		}
		t.encodings = append(t.encodings, slices.Clip(src))
		t.numbers[first(kind.Seeded(i))] = i
	}
	return t
}

// first is the first field of a message, which no other message has.
func first(message any) string { return fmt.Sprint(reflect.ValueOf(message).Elem().Field(0)) }

func (t knownTable) serializer(log *callLog) Serializer[numbered] {
	return Serializer[numbered]{
		Append: func(dst []byte, m *numbered) ([]byte, error) {
			log.pay("append", m.number)
			return append(dst, t.encodings[m.number]...), nil
		},
		Marshal: func(m *numbered) ([]byte, error) {
			log.pay("marshal", m.number)
			return t.encodings[m.number], nil
		},
		Unmarshal: func(src []byte, m *numbered) error {
			m.number = int(src[0])<<8 | int(src[1])
			log.pay("unmarshal", m.number)
			return nil
		},
		Reset: func(m *numbered) { log.pay("reset", m.number) },
		Touch: func(m *numbered) uint64 { log.pay("touch", m.number); return 1 },
		Build: func(m *numbered, message any) error {
			number, found := t.numbers[first(message)]
			if !found {
				return fmt.Errorf("no message %v", message)
			}
			m.number = number
			return nil
		},
		Read: func(message any, m *numbered) error { return Convert(message, t.kind.Seeded(m.number)) },
	}
}
