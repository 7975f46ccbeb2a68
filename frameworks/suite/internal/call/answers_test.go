package call

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/frameworks/suite/framework"
	"github.com/rpcbench/rpcbench/frameworks/suite/framework/message"
	"github.com/rpcbench/rpcbench/frameworks/suite/internal/fakes"
	"github.com/rpcbench/rpcbench/loadgen"
)

// bench40 is a bench message with as many fields as the real one.
type bench40 struct {
	Field1                                  string
	Field2                                  int32
	A1, A2, A3, A4, A5, A6, A7, A8, A9      string
	B1, B2, B3, B4, B5, B6, B7, B8, B9      *int32
	C1, C2, C3, C4, C5, C6, C7, C8, C9, C10 int64
	D1, D2, D3, D4, D5                      *bool
	E1, E2, E3, E4, E5                      *string
	List                                    []string
	_                                       int // generated code has fields that are not exported
}

// answering is a client whose answers to the bench message lack what drop removes.
type answering struct {
	fakes.Client
	drop  func(*bench40)
	reply func(*bench40) any
}

func (answering) CallUnknown(context.Context) error { return nil }

func (c answering) Message(_ int, check framework.MessageCheck) loadgen.Call {
	m := &bench40{}
	message.Fill(m)
	m.Field1, m.Field2 = message.AnswerField1, message.AnswerField2
	c.drop(m)
	reply := c.reply(m)
	return func(_ context.Context, worker int) error { return check(worker, m.Field1, m.Field2, reply) }
}

// structured40 is a bench40 of another type than a struct.
type structured40 []bench40

func (s structured40) Struct() any { return &s[0] }

func TestAnswersAreCompared(t *testing.T) {
	for _, c := range []struct {
		about string
		drop  func(*bench40)
		reply func(*bench40) any
		wrong int64 // of ten calls by each of two workers
	}{
		{"all is well", func(*bench40) {}, func(m *bench40) any { return m }, 0},
		{"all but three fields are gone", func(m *bench40) {
			*m = bench40{Field1: m.Field1, Field2: m.Field2, A1: m.A1}
		}, func(m *bench40) any { return m }, 20},
		{"one is gone", func(m *bench40) { m.E5 = nil }, func(m *bench40) any { return m }, 4},
		{"a number is another", func(m *bench40) { *m.B5++ }, func(m *bench40) any { return m }, 4},
		{"a truth is another", func(m *bench40) { *m.D1 = false }, func(m *bench40) any { return m }, 4},
		{"a text is another", func(m *bench40) { m.A9 += "x" }, func(m *bench40) any { return m }, 4},
		{"field1 is another", func(m *bench40) { m.Field1 = "" }, func(m *bench40) any { return m }, 20},
		{"no struct, all is well", func(*bench40) {}, func(m *bench40) any { return structured40{*m} }, 0},
		{"no struct, one is gone", func(m *bench40) { m.E5 = nil }, func(m *bench40) any { return structured40{*m} }, 2},
		{"not even a Structured", func(*bench40) {}, func(m *bench40) any { return *m }, 20},
		{"nothing", func(*bench40) {}, func(*bench40) any { return nil }, 20},
		{"a nil pointer", func(*bench40) {}, func(*bench40) any { return (*bench40)(nil) }, 20},
	} {
		j, err := prepareMessage(nil)(t.Context(), answering{drop: c.drop, reply: c.reply}, Requests{Workers: 2})
		require.NoError(t, err)
		wrong := int64(0)
		for i := range 20 {
			err := j.Call(t.Context(), i%2)
			if err == nil {
				err = j.Check(i % 2)
			}
			if err != nil {
				wrong++
			}
		}
		assert.Equal(t, c.wrong, wrong, c.about)
	}
}

// Whichever field is wrong, some of a few calls tell.
func TestEveryFieldIsCompared(t *testing.T) {
	fields := reflect.TypeFor[bench40]()
	for i := range fields.NumField() {
		if f := fields.Field(i); !f.IsExported() || f.Name == "List" {
			continue
		}
		j, err := prepareMessage(nil)(t.Context(), answering{
			drop:  func(m *bench40) { reflect.ValueOf(m).Elem().Field(i).SetZero() },
			reply: func(m *bench40) any { return m },
		}, Requests{Workers: 1})
		require.NoError(t, err)
		assert.Error(t, callTimes(t, j, 5), fields.Field(i).Name)
	}
}

// BenchmarkAnswers is what a call of the bench message pays for the comparison.
func BenchmarkAnswers(b *testing.B) {
	const workers = 64
	come := message.Filled[bench40](workers)
	a := newAnswers(workers)
	b.ReportAllocs()
	for i := 0; b.Loop(); i = (i + 1) % workers {
		if err := a.keep(i, message.AnswerField1, message.AnswerField2, come[i]); err != nil {
			b.Fatal(err)
		}
		if err := a.compare(i); err != nil {
			b.Fatal(err)
		}
	}
}
