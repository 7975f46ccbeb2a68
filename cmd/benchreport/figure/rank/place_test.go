package rank

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		about string
		rows  [][]float64
		want  string
	}{
		{"rows that lie apart have a place each", [][]float64{{1, 2}, {3, 4}, {5, 6}}, "[1 2 3]"},
		{"rows whose rounds meet share places", [][]float64{{1, 3}, {2, 4}, {5, 6}}, "[1–2 1–2 3]"},
		{"a row between two that lie apart shares with both", [][]float64{{1, 3}, {2, 5}, {4, 6}}, "[1–2 1–3 2–3]"},
		{"equal rows share all places", [][]float64{{1}, {1}}, "[1–2 1–2]"},
		{"one row has the first", [][]float64{{7}}, "[1]"},
		{"no rows", nil, "[]"},
	} {
		assert.Equal(t, tt.want, fmt.Sprint(Places(tt.rows)), tt.about)
	}
}
