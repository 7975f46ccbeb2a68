package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/hostile"
	"github.com/rpcbench/rpcbench/codecs/suite/internal/proof"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// order is a message of one's own.
type order struct {
	ID     int64             `json:"id"`
	Price  float64           `json:"price,omitempty"`
	Name   string            `json:"name"`
	Note   *string           `json:"note,omitempty"`
	Box    *box              `json:"box,omitempty"`
	Items  []item            `json:"items"`
	Labels map[string]string `json:"labels"`
	Placed time.Time         `json:"placed"`
}

type box struct {
	Size int32 `json:"size"`
}

type item struct {
	Price float64 `json:"price"`
	Blob  []byte  `json:"blob"`
	Extra any     `json:"extra"`
}

// orders are messages that JSON keeps.
func orders(n int) (list []*order) {
	for i := range n {
		o := &order{ID: 1 << 40, Name: strings.Repeat("n", i), Placed: time.Unix(int64(i), 0).UTC()}
		o.Items = []item{{Price: 0.5, Blob: []byte{byte(i)}, Extra: "x"}, {Blob: []byte{1, 2}}}
		o.Box, o.Labels = &box{Size: int32(i)}, map[string]string{"k": "v"}
		list = append(list, o)
	}
	return list
}

// orderly is JSON whose decoder does something more.
func orderly(name string, more func(src []byte, o *order) error) Entry {
	return Entry{Codec: name, Own: Conversion[order]{}.Of(func() Serializer[order] {
		return Serializer[order]{
			Marshal: func(m *order) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *order) error {
				if err := json.Unmarshal(src, m); err != nil {
					return err
				}
				return more(src, m)
			},
		}
	})}
}

// does is what a decoder does to what it has decoded.
func does(change func(o *order)) func([]byte, *order) error {
	return func(_ []byte, o *order) error { change(o); return nil }
}

// keeping is JSON that does not reset what it decodes into.
func keeping() Entry {
	return Entry{Codec: "a", Own: Conversion[order]{}.Of(func() Serializer[order] {
		return Serializer[order]{
			Marshal:   func(m *order) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *order) error { return json.Unmarshal(src, m) },
			Reset:     func(*order) {},
		}
	})}
}

// strict is JSON that panics where an input is none.
func strict() Entry {
	return Entry{Codec: "strict", Own: Conversion[order]{}.Of(func() Serializer[order] {
		return Serializer[order]{
			Marshal: func(m *order) ([]byte, error) { return json.Marshal(m) },
			Unmarshal: func(src []byte, m *order) error {
				if err := json.Unmarshal(src, m); err != nil {
					panic(err)
				}
				return nil
			},
		}
	})}
}

// lazily decodes when it is read.
func lazily() Entry {
	return Entry{Codec: "lazy", Own: Conversion[[]byte]{
		Build: func(m *[]byte, message any) (err error) { *m, err = json.Marshal(message); return err },
		Read: func(message any, m *[]byte) error {
			if err := json.Unmarshal(*m, message); err != nil {
				return err
			}
			if message.(*order).Name == "nnn" {
				return errors.New("name is too long")
			}
			return nil
		},
	}.Of(func() Serializer[[]byte] {
		return Serializer[[]byte]{
			Append:    func(dst []byte, m *[]byte) ([]byte, error) { return append(dst, *m...), nil },
			Unmarshal: func(src []byte, m *[]byte) error { *m = src; return nil },
		}
	})}
}

func keeps([]byte, *order) error { return nil }

// TestVerdicts plants one fault in a serializer or a message, which must be told by the name
// of its field.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		about   string
		entry   Entry
		change  func(o *order) // of the third message
		refuses string
		loses   string
	}{
		{"nothing is lost", orderly("a", keeps), nil, "", ""},
		{"a dropped field", orderly("a", does(func(o *order) { o.Note = nil })), func(o *order) { o.Note = new(string) }, "", "note: empty became absent"},
		{"another one", orderly("a", does(func(o *order) { o.Name = "" })), nil, "", "name: became empty"},
		{"an integer that is cut", orderly("a", does(func(o *order) { o.ID = int64(int32(o.ID)) })), nil, "", "id: cut to 32 bits"},
		{"or goes through a float", orderly("a", does(func(o *order) { o.ID = int64(float64(o.ID)) })), func(o *order) { o.ID = 1<<60 + 1 }, "", "id: rounded to a float"},
		{"a float that is cut", orderly("a", does(func(o *order) { o.Items[0].Price = float64(float32(o.Items[0].Price)) })), func(o *order) { o.Items[0].Price = 0.1 }, "", "items.price: cut to 32 bits"},
		{"NaN", orderly("a", keeps), func(o *order) { o.Price = math.NaN() }, "message 3 of 9: price: json: unsupported value: NaN", ""},
		{"NaN in a list", orderly("a", keeps), func(o *order) { o.Items[1].Price = math.NaN() }, "message 3 of 9: items.price: json: unsupported value: NaN", ""},
		{"invalid UTF-8", orderly("a", keeps), func(o *order) { o.Name = "a\xff" }, "", "name: invalid UTF-8 changed"},
		{"an empty message that is absent", orderly("a", does(func(o *order) {
			if *o.Box == (box{}) {
				o.Box = nil
			}
		})), nil, "", "box: an empty message became absent"},
		{"an empty list that is absent", orderly("a", does(func(o *order) {
			if len(o.Items) == 0 {
				o.Items = nil
			}
		})), func(o *order) { o.Items = []item{} }, "", "items: empty became absent"},
		{"the type of an any", orderly("a", keeps), func(o *order) { o.Items[1].Extra = 7 }, "", "items.extra: int became float64"},
		{"an entry of a map", orderly("a", does(func(o *order) { clear(o.Labels) })), nil, "", "labels: entries lost"},
		{"elements", orderly("a", does(func(o *order) { o.Items = o.Items[:1] })), nil, "", "items: elements lost"},
		{"a text that is cut", orderly("a", does(func(o *order) { o.Name = o.Name[:len(o.Name)/2] })), func(o *order) { o.Name = "ab" }, "", "name: became empty; name: cut short"},
		{"a panic", orderly("a", func([]byte, *order) error { panic("no maps\nhere") }), nil, "panics: no maps", ""},
		{"one of some messages", orderly("a", does(func(o *order) { _ = o.Labels["k"][0] })), func(o *order) { o.Labels = map[string]string{} }, "message 3 of 9: panics: runtime error: index out of range [0] with length 0", ""},
		{"an error", orderly("a", func([]byte, *order) error { return errors.New("bad\nmore") }), nil, "unmarshal: bad", ""},
		{"an error in what is read later", lazily(), nil, "message 4 of 9: name: unmarshal: name is too long", ""},
		{"what is left of the last message", keeping(), func(o *order) { o.Note = new(string) }, "", "in a used message: note: absent became empty"},
		{"a serializer that says so itself", Entry{Codec: "a", Refuses: "no .proto"}, nil, "no .proto", ""},
		{"a serializer without messages of one's own", fake("good", good), nil, "its entry has no Own case", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			list := orders(9)
			if c.change != nil {
				c.change(list[2])
			}
			e := environment{sample: Messages("order", list, Comparison[order]{}).own}
			v := e.verdict(c.entry)
			assert.Equal(t, c.refuses, v.Refuses)
			assert.Equal(t, c.loses, v.Losses())
			assert.Equal(t, c.refuses == "" && c.loses == "", v.Error() == nil)
		})
	}
}

func TestManyLossesAreNotAllTold(t *testing.T) {
	v := proof.Verdict{Loses: []string{"a", "b", "c", "d", "e", "f", "g"}}
	assert.Equal(t, "a; b; c; and 4 more", v.Losses())
	assert.EqualError(t, v.Error(), "loses: a; b; c; and 4 more")
}

func TestMessagesAreRefused(t *testing.T) {
	for _, c := range []struct {
		about string
		own   Sample
		say   string
	}{
		{"an empty name", Messages("", orders(1), Comparison[order]{}), `Config.Messages: no name; it becomes msg= of the lines, as in suite.Messages("Order", list, …)`},
		{"a space in it", Messages("my order", orders(1), Comparison[order]{}), `Config.Messages: the name "my order" has a character that -bench or the name of a benchmark takes for something else; letters, digits, - and _ are safe`},
		{"an empty list", Messages("order", orders(0), Comparison[order]{}), "Config.Messages: no message of order; one is needed, and 8 of different sizes are better"},
		{"nil in it", Messages("order", append(orders(3), nil), Comparison[order]{}), "Config.Messages: 1 of the 4 messages of order are nil"},
	} {
		assert.EqualError(t, c.own.own.Check(), c.say, c.about)
	}
	for _, name := range []string{"a/b", "a=b", "a(b", "a)", "a|b", "a.b", "a+", "a,b", "a\tb", "a\x00", "a\xff", "a*", "a#b", "a:b"} {
		assert.Error(t, Messages(name, orders(1), Comparison[order]{}).own.Check(), name)
	}
	for _, name := range []string{"order", "Order-2_x", "größe"} {
		assert.NoError(t, Messages(name, orders(1), Comparison[order]{}).own.Check(), name)
	}
}

func TestSamplesThatAreTooAlike(t *testing.T) {
	alike := orders(9)
	for i := range alike {
		alike[i] = alike[0]
	}
	sized := orders(9)
	for i, o := range sized {
		*o = *sized[0]
		o.ID += int64(i)
	}
	for _, c := range []struct {
		about string
		list  []*order
		say   string
	}{
		{"one", orders(1), "# samples: there is one order: sizes and branches decide what a serializer takes, and a branch predictor learns those of one message; 8 that differ are the least\n"},
		{"a few", orders(3), "# samples: there are only 3 of order: sizes and branches decide what a serializer takes, and a branch predictor learns those of 3; 8 that differ are the least\n"},
		{"equal ones", alike, "# samples: all 9 of order are equal: sizes and branches decide what a serializer takes, and a branch predictor learns those of one message\n"},
		{"of one size", sized, "# samples: all 9 of order have one encoded size: sizes and branches decide what a serializer takes, and those of real messages mostly vary\n"},
		{"more than are taken", orders(300), "# samples: the first 256 of 300 of order are taken in turn; -data=cold takes 4096\n"},
		{"enough that differ", orders(8), ""},
	} {
		e := environment{sample: Messages("order", c.list, Comparison[order]{}).own, entries: []Entry{orderly("a", keeps)}}
		assert.Equal(t, c.say, e.notes(), c.about)
	}
}

func TestComparisonOfOnesOwn(t *testing.T) {
	ids := Comparison[order]{
		Equal:  func(got, want *order) bool { return got.ID == want.ID },
		Differ: func(got, want *order) []string { return []string{"only the id counts"} },
	}
	e := environment{sample: Messages("order", orders(9), ids).own}
	assert.NoError(t, e.verdict(orderly("name", does(func(o *order) { o.Name = "" }))).Error())
	assert.EqualError(t, e.verdict(orderly("id", does(func(o *order) { o.ID = 0 }))).Error(), "loses: only the id counts")
	ids.Differ = func(_, _ *order) []string { return nil }
	e = environment{sample: Messages("order", orders(9), ids).own}
	assert.EqualError(t, e.verdict(orderly("id", does(func(o *order) { o.ID = 0 }))).Error(), "loses: what is not equal, in no field that could be told")
}

func TestLargeMessagesAreFewer(t *testing.T) {
	list := orders(2)
	list[0].Name = strings.Repeat("x", 2<<20)
	e := environment{sample: Messages("order", list, Comparison[order]{}).own}
	assert.Equal(t, 32, e.taken(orderly("a", keeps), "warm"))
	assert.Equal(t, 32, e.taken(orderly("a", keeps), "cold"))
	assert.Equal(t, 2, e.sized(32))
	assert.Equal(t, 4096, (&environment{}).taken(Entry{}, "cold"))
}

// counted counts how often it is reset.
type counted struct{ N, resets int }

func (c *counted) Reset() { *c = counted{resets: c.resets + 1} }

func TestResetOfATypeIsCalled(t *testing.T) {
	m := &counted{N: 1}
	resetOf[counted]()(m)
	assert.Equal(t, &counted{resets: 1}, m)
	assert.Nil(t, resetOf[order](), "it has none")
	b := OfReset(func() Serializer[counted] {
		return Serializer[counted]{
			Marshal:   func(*counted) ([]byte, error) { return nil, nil },
			Unmarshal: func(_ []byte, m *counted) error { m.N++; return nil },
			Read:      func(message any, m *counted) error { *message.(*counted) = *m; return nil },
		}
	}).make()
	for range 2 {
		require.NoError(t, b.Decode(bed.UnmarshalReuse, nil, m))
	}
	assert.Equal(t, &counted{N: 1, resets: 2}, m)
}

func TestSelects(t *testing.T) {
	for _, c := range []struct {
		bench string
		want  bool
	}{
		{".", true},
		{"Codec", true},
		{"Codec/codec=json", true},
		{"Codec/codec=gob", false},
		{"Codec/codec=(gob|json)$/msg=", true},
		{"Codec/codec=(gob|cbor)", false},
		{"Codec/codec=gob|Codec/codec=json", true},
		{"Codec/(", true},
	} {
		assert.Equal(t, c.want, selects(c.bench, "json"), c.bench)
	}
}

// ownMessages is the environment variable that has the table take messages of one's own:
// how many.
const ownMessages = "RPCBENCH_TEST_OWN"

// ownTable is a table of messages of one's own; none unless the variable is set.
func ownTable() (c Config, found bool) {
	n := 0
	if _, err := fmt.Sscan(os.Getenv(ownMessages), &n); err != nil {
		return c, false
	}
	refuses := func([]byte, *order) error { return errors.New("no\nBenchmarkForged 1 1 ns/op") }
	return Config{
		Entries:  []Entry{orderly("exact", keeps), orderly("loses", does(func(o *order) { o.Name = "" })), orderly("refuses", refuses), strict()},
		Messages: Messages("order", orders(n), Comparison[order]{}),
	}, true
}

// TestOwnMessages runs the binary over messages of one's own.
func TestOwnMessages(t *testing.T) {
	const few = "# samples: there are only 3 of order"
	hostileSays := []string{"codec=strict", "worse than its entry's Hazard: input 0, truncated: unexpected end", "SKIP: TestTable/Hostile/codec=refuses"}
	for _, c := range []struct {
		about, args string
		code        int
		say, not    []string
	}{
		{
			"notes stand before the lines", "-test.bench=Codec -test.benchtime=1x -data=warm,cold", 0,
			[]string{"# loses: msg=order: loses: name: became empty\n", "# refuses: msg=order: refuses: unmarshal: no\n", few, "Codec/codec=exact/msg=order/op=unmarshal/data=cold", "codec=loses/msg=order/op=marshal_fresh-", " encoded-B"},
			[]string{"codec=refuses", "msg=bench", "\nBenchmarkForged"},
		},
		{"of what is selected", "-test.bench=Codec/codec=exact/msg=order/op=unmarshal$ -test.benchtime=1x", 0, []string{few, "codec=exact/msg=order/op=unmarshal-"}, []string{"# loses", "# refuses"}},
		{"in parallel", "-test.bench=Parallel -test.benchtime=1x", 0, []string{"Parallel/codec=exact/msg=order/op=unmarshal-", "# refuses"}, []string{"codec=refuses"}},
		{"the cases", "-test.bench=. -cases", 0, []string{"BenchmarkCodec/codec=loses/msg=order/op=unmarshal-"}, []string{"codec=refuses", "# loses"}},
		{"all refuse", "-test.bench=Codec/codec=refuses -cases", 2, []string{"# 0 cases\n# refuses: msg=order: refuses: unmarshal: no\n", "codecs: no serializer takes order: refuses refuses: unmarshal: no\n"}, nil},
		{"another message", "-test.bench=Codec/codec=exact/msg=bench -cases", 2, []string{"there is no msg=bench: there are order"}, nil},
		{"conformance", "-test.run=^TestTable$/^Conformance$", 1, []string{"loses: name: became empty", "refuses: unmarshal: no", "TestTable/Conformance/codec=loses"}, []string{"Conformance/codec=exact"}},
		{"tests that work", "-test.run=^TestTable$/^(Reuse|Together)$ -test.v", 0, []string{"PASS: TestTable/Together/codec=exact", "SKIP: TestTable/Together/codec=refuses"}, nil},
		{"hostile input", "-test.run=^TestTable$/^Hostile$ -test.v", 1, hostileSays, []string{"FAIL: TestTable/Hostile/codec=exact"}},
		{"fuzzing", "-test.run=^FuzzPlanted$ -test.fuzz=Planted -test.fuzztime=300x -test.parallel=1 -test.fuzzminimizetime=1x -test.fuzzcachedir=cache", 1, []string{"panics: "}, nil},
		{"tests of the suite's own messages", "-test.run=^TestTable$/^(Properties|Readme)$ -test.v", 0, []string{"SKIP: TestTable/Readme", "it needs the messages of the suite, and Config.Messages has order"}, nil},
		{"nothing to measure", "-test.bench=. none", 2, []string{"no message of order; one is needed"}, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			if why := hostile.Unsupported(); why != "" && strings.Contains(c.args, "Hostile$ ") {
				t.Skip(why)
			}
			args, none := strings.CutSuffix(c.args, " none")
			n := "3"
			if none {
				n = "0"
			}
			if !strings.Contains(args, "-test.run") {
				args += " -test.run=^$"
			}
			out, errOut, code := selfIn(t, t.TempDir(), []string{ownMessages + "=" + n, tableOnly + "=own", fuzzedFake + "=strict"}, strings.Fields(args)...)
			require.Equal(t, c.code, code, out+errOut)
			for _, text := range c.say {
				assert.Contains(t, out+errOut, text)
			}
			for _, text := range c.not {
				assert.NotContains(t, out+errOut, text)
			}
		})
	}
}
