package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/messages"
)

// fake is JSON whose decoder does something more.
func fake(name string, decode twist) Entry {
	return Entry{
		Codec: name,
		Bench: twisted[messages.Bench](decode), Flat: twisted[messages.Flat](decode),
		Small: twisted[messages.Small](decode), Large: twisted[messages.Large](decode),
		Next: twisted[messages.Next](decode), Mapped: twisted[messages.Mapped](decode),
	}
}

// twist is called with the input and what was decoded from it, or the error.
type twist func(src []byte, m any, err error) error

func twisted[N any](decode twist) Case {
	return Of(func() Serializer[N] {
		return Serializer[N]{
			Marshal:   func(m *N) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *N) error { return decode(src, m, json.Unmarshal(src, m)) },
		}
	})
}

func good(_ []byte, _ any, err error) error { return err }

func shares(src []byte, m any, err error) error {
	if s, ok := m.(*messages.Small); ok && err == nil {
		if at := bytes.Index(src, []byte(s.Name)); at >= 0 && s.Name != "" {
			s.Name = unsafe.String(&src[at], len(s.Name))
		}
	}
	return err
}

func changes(src []byte, _ any, err error) error {
	src[len(src)-1] = 0
	return err
}

func panics(_ []byte, _ any, err error) error {
	if err != nil {
		panic(err)
	}
	return nil
}

// kills takes all memory there is when the input is truncated.
func kills(_ []byte, _ any, err error) error {
	if truncated(err) {
		runtime.KeepAlive(make([]byte, 8<<30))
	}
	return err
}

// truncated reports whether err is of an input that was cut: every eighth or so.
func truncated(err error) bool {
	return err != nil && strings.Contains(err.Error(), "unexpected end")
}

func loses(_ []byte, m any, err error) error {
	if b, ok := m.(*messages.Bench); ok {
		b.Field272 = nil
	}
	return err
}

var fakes = []Entry{
	fake("good", good), fake("shares", shares), fake("changes", changes),
	fake("panics", panics), fake("kills", kills), fake("loses", loses),
}

// knownCodec knows what its calls cost, and writeCalls writes them down.
var knownCodec, writeCalls = knownEntry()

func TestMain(m *testing.M) {
	if c, found := ownTable(); found {
		Main(m, c)
	}
	Main(m, Config{Entries: tableOf(os.Getenv(tableOnly)), GoMod: []byte(fakeGoMod)})
}

// tableOnly is the environment variable with the names of the entries that the table
// has; without it there are those that tests of the command line know.
const tableOnly = "RPCBENCH_TEST_TABLE"

const fakeGoMod = "module fake\n\nrequire fake.example/good v1.2.3\n"

func tableOf(only string) (list []Entry) {
	if only == "" && !hostile.IsVictim() {
		return append(fakes, knownCodec)
	}
	all := slices.Concat(fakes, oddities())
	for _, e := range all {
		if hostile.IsVictim() || slices.Contains(strings.Split(only, ","), e.Codec) {
			list = append(list, e)
		}
	}
	return list
}

// throwing is the environment variable with the error of the fake "throws".
const throwing = "RPCBENCH_TEST_THROWS"

// oddities are fakes that a test over the table must find, or that declare what they do.
func oddities() []Entry {
	with := func(e Entry, change func(e *Entry)) Entry {
		change(&e)
		return e
	}
	waste := func(m *messages.Large) {
		for range 99 {
			m.Items = append(m.Items[:0:0], messages.Item{})
		}
		*m = messages.Large{}
	}
	return []Entry{
		fake("throws", func([]byte, any, error) error { return errors.New(os.Getenv(throwing)) }),
		with(fake("declared", panics), func(e *Entry) { e.Hazard = Panics }),
		with(fake("sharing", shares), func(e *Entry) { e.Shares, e.Mode = true, "unsafe" }),
		with(fake("racing", loses), func(e *Entry) { e.Races = "all of it" }),
		with(fake("left", good), func(e *Entry) { e.Bench = reusing(func([]byte) {}, func(*messages.Bench) {}) }),
		with(fake("wasteful", good), func(e *Entry) { e.Large = reusing(func([]byte) {}, waste) }),
		with(fake("front", good), func(e *Entry) { e.Small = Of(upper) }),
		with(fake("touchy", good), func(e *Entry) { e.Small = Of(readInPlace) }),
		with(fake("measured", good), func(e *Entry) {
			e.About, e.Code, e.Module, e.Next, e.Mapped = "JSON", "reflection", "fake.example/good", Case{}, Case{}
		}),
		with(fake("advised", good), func(e *Entry) {
			e.Module, e.Advisories = "fake.example/good", Advisories{"GO-1, GO-2", "v1.2.3"}
		}),
		with(fake("outdated", good), func(e *Entry) {
			e.Module, e.Advisories = "fake.example/good", Advisories{"GO-1, GO-2", "v1.2.2"}
		}),
	}
}

// upper is JSON whose Append changes what stands before it.
func upper() Serializer[messages.Small] {
	return Serializer[messages.Small]{
		Append: func(dst []byte, m *messages.Small) ([]byte, error) {
			src, err := json.Marshal(m)
			return append(bytes.ToUpper(dst), src...), err
		},
		Unmarshal: func(src []byte, m *messages.Small) error { return json.Unmarshal(src, m) },
	}
}

// readInPlace is a format that only reading finds a fault in.
func readInPlace() Serializer[messages.Small] {
	fault := error(nil)
	return Serializer[messages.Small]{
		Marshal: func(m *messages.Small) ([]byte, error) { return json.Marshal(m) },
		Unmarshal: func(src []byte, m *messages.Small) error {
			fault = json.Unmarshal(src, m)
			return nil
		},
		Touch: func(*messages.Small) uint64 {
			if fault != nil {
				panic(fault)
			}
			return 1
		},
	}
}
