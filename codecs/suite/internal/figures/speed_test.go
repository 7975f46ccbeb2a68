package figures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rpcbench/rpcbench/codecs/suite/internal/bed"
)

// linesOf are six rounds of an operation, each 1 % more than the last.
func linesOf(codec, op string, ns float64) string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "BenchmarkCodec/codec=%s/msg=small/op=%s-2 100 1 ns/op %.1f cpu-ns/op 8 B/op 2 allocs/op\n", codec, op, ns*(1+0.01*float64(i)))
	}
	return b.String()
}

func TestSpeedTable(t *testing.T) {
	f := figuresOf(t, "procs: 2\n"+
		linesOf("slow", "marshal_fresh", 1000)+linesOf("slow", "unmarshal", 2000)+
		linesOf("a", "marshal", 90)+linesOf("a", "marshal_fresh", 100)+linesOf("a", "unmarshal", 200)+linesOf("a", "unmarshal_reuse", 150)+
		linesOf("b", "marshal_fresh", 102)+linesOf("b", "unmarshal", 200)+
		linesOf("odd", "marshal", 80)+linesOf("odd", "marshal_fresh", 50)+linesOf("odd", "unmarshal", 60)+
		linesOf("lazy", "marshal_fresh", 100)+linesOf("lazy", "unmarshal", 100)+linesOf("lazy", "touch", 10000)+
		linesOf("reads", "unmarshal", 10)+linesOf("reader", "unmarshal", 100)+linesOf("reader", "touch", 10000))
	var codecs []Codec
	for _, codec := range []string{"reader", "slow", "lazy", "a", "reads", "odd", "b"} {
		codecs = append(codecs, Codec{ID: codec, Name: codec})
	}
	var got []string
	for _, line := range strings.Split(f.SpeedTable(codecs, "small"), "\n")[2:] {
		got = append(got, strings.Join(strings.Split(line, " | ")[:8], " | "))
	}
	assert.Equal(t, []string{
		"| undecided | odd | 82 ± 2 % | 51 ± 2 % | 62 ± 2 % | - | - | 2 + 2 (0)",
		"| 1–2 | a | 92 ± 2 % | 102 ± 2 % | 205 ± 2 % | 154 ± 2 % | - | 2 + 2 (2)",
		"| 1–2 | b | - | 105 ± 2 % | 205 ± 2 % | - | - | 2 + 2 (0)",
		"| 3 | slow | - | 1025 ± 2 % | 2050 ± 2 % | - | - | 2 + 2 (0)",
		"| 4 | lazy | - | 102 ± 2 % | 102 ± 2 % | - | 10250 ± 2 % | 2 + 2 (0)",
		"| - | reads | - | - | 10 ± 2 % | - | - | - + 2 (0)",
		"| - | reader | - | - | 102 ± 2 % | - | 10250 ± 2 % | - + 2 (0)",
	}, got)
	assert.Equal(t, 6, f.Rounds("cpu-ns/op"))
}

func TestContradictory(t *testing.T) {
	at := func(low, high float64) spread { return spread{(low + high) / 2, low, high} }
	for _, row := range []struct {
		sentence string
		ops      map[bed.Operation]spread
		want     bool
	}{
		{"without memory to use again nothing contradicts", map[bed.Operation]spread{bed.MarshalFresh: at(9, 10), bed.Unmarshal: at(9, 10)}, false},
		{"encoding into memory that is there takes longer", map[bed.Operation]spread{bed.Marshal: at(11, 12), bed.MarshalFresh: at(9, 10)}, true},
		{"perhaps it does: the intervals meet", map[bed.Operation]spread{bed.Marshal: at(10, 12), bed.MarshalFresh: at(9, 10)}, false},
		{"decoding into a used value takes longer", map[bed.Operation]spread{bed.UnmarshalReuse: at(11, 12), bed.Unmarshal: at(9, 10)}, true},
		{"it takes less", map[bed.Operation]spread{bed.UnmarshalReuse: at(1, 2), bed.Unmarshal: at(9, 10)}, false},
		{"two rounds decide nothing", map[bed.Operation]spread{bed.Marshal: spreadOf([]float64{11, 12}), bed.MarshalFresh: spreadOf([]float64{9, 10})}, false},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			assert.Equal(t, row.want, speed{ops: row.ops}.contradictory())
		})
	}
}

func TestFiguresMustBeOfTheVersionsOfNow(t *testing.T) {
	codecs := []Codec{{ID: "a", Name: "a", Version: "v2"}, {ID: "b", Name: "b", Version: "v1"}}
	for _, row := range []struct {
		sentence, lines string
		err             string
	}{
		{"those of another version are refused", "a: v1\n" + linesOf("a", "unmarshal", 1), `about a "v1", not v2`},
		{"a serializer without figures may have any", "a: v1\nb: v1\n" + linesOf("b", "unmarshal", 1), ""},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			_, err := ReadOf(fileOf(t, row.lines), codecs)
			if row.err == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, row.err)
		})
	}
	f := figuresOf(t, linesOf("b", "unmarshal", 1))
	assert.ErrorContains(t, f.Complete(codecs, nil), "no CPU time of a, bench", "figures that vanished")
	assert.ErrorContains(t, f.Complete(codecs, []string{"a"}), "no CPU time of b, bench", "a message without figures")
	assert.EqualError(t, f.Complete(codecs, []string{"a", "b"}), "b has figures: take it from ReadmeFiles.Unmeasured")
	assert.Equal(t, []string{"a"}, f.Unmeasured(codecs), "a new serializer has no figures yet")
	assert.NotContains(t, f.SpeedTable(codecs, "small"), "| a |", "nor a row")
}
