package figure

import (
	"fmt"
	"testing"
	"time"

	"github.com/rpcbench/rpcbench/cmd/internal/lines"
	"github.com/stretchr/testify/assert"
)

// TestManyCases draws cases that differ in one key, of every kind that a report sorts by.
// They take a second; where each was compared with all others, 1,000 operations alone
// took 13 seconds, and these would take minutes.
func TestManyCases(t *testing.T) {
	const cases = 2_000
	began := time.Now()
	for about, name := range map[string]string{
		"frameworks": "Echo/framework=f%d/conc=1", "panels": "Echo/framework=a/size=%dB/conc=1", "points of an axis": "Echo/framework=a/conc=%d",
		"variants of a framework": "Echo/framework=a/conc=1/x=%d", "benchmarks": "B%d", "serializers": "Codec/codec=c%d/op=marshal", "operations": "Codec/codec=gob/op=o%d",
		"others": "Other%d",
	} {
		text := &lines.Text{}
		for i := range cases {
			l := distinct(fmt.Sprintf(name, i), 1)
			if about == "others" {
				l.Values = map[string]float64{"ns/op": 5}
			}
			text.Lines = append(text.Lines, l)
			text.Notes = append(text.Notes, lines.Note{Name: l.Full, Text: fmt.Sprintf("late: %d; reason %c", i, 'a'+rune(i%26))})
		}
		assert.Equal(t, cases, New(text, nil).Doubts.Rows, about)
	}
	assert.Less(t, time.Since(began), time.Minute)
}
