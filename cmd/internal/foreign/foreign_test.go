package foreign

import (
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestLine(t *testing.T) {
	for _, c := range []struct{ about, text, line string }{
		{"plain text stays", `dial tcp 127.0.0.1:80: "refused" \ ok`, `dial tcp 127.0.0.1:80: "refused" \ ok`},
		{"letters of any language stay", "Überlauf, 接続, …", "Überlauf, 接続, …"},
		{"a result line is part of its line", "no\nBenchmarkEcho 1 1 ns/op\r\n", `no\nBenchmarkEcho 1 1 ns/op\r\n`},
		{"a stack trace too", "at a\n\tat b", `at a\n    at b`},
		{"a terminal's commands", "\x1b[2J\x1b]0;title\a\x9b1m", `\x1b[2J\x1b]0;title\a\x9b1m`},
		{"commands of one byte in UTF-8", "\u009b1m", `\u009b1m`},
		{"writing from right to left", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"line breaks of Unicode", "a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
		{"what cannot be seen", "a\u200bb\x00c\ufeff", `a\u200bb\x00c\ufeff`},
		{"what is no text", "a\xff\xfe", `a\xff\xfe`},
		{"nothing", "", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			assert.Equal(t, c.line, Line(c.text))
			assert.Equal(t, c.line, Line(Line(c.text)), "twice")
		})
	}
}

func TestLongTexts(t *testing.T) {
	long := strings.Repeat("é", most)
	line := Line(long)
	assert.LessOrEqual(t, len(line), most)
	assert.True(t, strings.HasPrefix(line, strings.Repeat("é", 900)))
	assert.Regexp(t, `… \(20\d\d more bytes\)$`, line)
	assert.Equal(t, line, Line(line), "twice")
	assert.Equal(t, long[:most], Line(long[:most]), "as long as may be")
}

func TestError(t *testing.T) {
	assert.NoError(t, Error(nil))
	assert.Equal(t, io.EOF, Error(io.EOF), "the same")
	err := Error(errors.Join(io.EOF, errors.New("BenchmarkEcho 1 1 ns/op")))
	assert.EqualError(t, err, `EOF\nBenchmarkEcho 1 1 ns/op`)
	assert.ErrorIs(t, err, io.EOF)
}

func FuzzLine(f *testing.F) {
	f.Add("a\nb\x1b[0m\u202e\xff")
	f.Fuzz(func(t *testing.T, text string) {
		line := Line(text)
		assert.True(t, utf8.ValidString(line))
		assert.LessOrEqual(t, len(line), most)
		assert.Negative(t, strings.IndexFunc(line, hidden))
		assert.Equal(t, line, Line(line))
	})
}
