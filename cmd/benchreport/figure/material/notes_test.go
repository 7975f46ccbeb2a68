package material

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rpcbench/rpcbench/cmd/benchreport/record"
	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/rpcbench/rpcbench/cmd/internal/scales"
)

// noted are rows of two processes, each with n warnings of its own.
func noted(n int) string {
	var text strings.Builder
	for run := range 2 {
		fmt.Fprintf(&text, "Unit calls/s better=higher\npkg: p%d\nBenchmarkEcho/framework=grpc 1 5 ns/op 7 calls/s\nPASS\n", run)
		for i := range n {
			fmt.Fprintf(&text, "# warning: BenchmarkEcho/framework=grpc: number %d of %d, which has a long text to be compared with others\n", i, run)
		}
	}
	return text.String()
}

func TestNotesOfProcesses(t *testing.T) {
	text, err := lines.Parse("a.txt", []byte(noted(2)))
	require.NoError(t, err)
	told := lines.Apart(text.Lines, lines.Package)
	n := NewNotes(told, text, nil)
	assert.Len(t, n.On(told[0]), 2)
	assert.Contains(t, n.On(told[0])[0], "number 0 of 0")
	assert.Contains(t, n.On(told[1])[1], "number 1 of 1")
}

// A row has as many notes as anybody reads, and what they cost grows with the text.
func TestManyNotes(t *testing.T) {
	scales.Linear(t, 300, func(n int) {
		text, err := lines.Parse("a.txt", []byte(noted(n)))
		require.NoError(t, err)
		told := lines.Apart(text.Lines, lines.Package)
		of := NewNotes(told, text, nil).On(told[0])
		assert.Len(t, of, mostTexts+1)
		assert.Equal(t, "there are more warnings than are shown", of[mostTexts])
	})
}

// Of many lines of one name a record is of the one with its median.
func TestManyRecords(t *testing.T) {
	scales.Linear(t, 300, func(n int) {
		var list []lines.Line
		var records []record.Record
		for i := range n {
			l := lines.Line{Name: lines.ParseName("BenchmarkA"), Values: map[string]float64{"p50-ns": float64(10 * i)}}
			list = append(list, l)
			records = append(records, record.Record{Name: "BenchmarkA", P50: float64(10*i) + 0.9, Warnings: []string{"late"}})
		}
		records = append(records, record.Record{Name: "BenchmarkA", P50: 5}, record.Record{Name: "BenchmarkA", P50: math.NaN()}, record.Record{Name: "BenchmarkB"})
		assert.Equal(t, 3, NewNotes(list, &lines.Text{}, records).Strays)
	})
}
