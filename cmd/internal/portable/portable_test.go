package portable

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestName(t *testing.T) {
	for text, want := range map[string]string{
		"Echo/framework=grpc/size=1KiB":   "Echo,framework=grpc,size=1KiB",
		"size=1KiB:16KiB":                 "size=1KiB-16KiB",
		`a\b<c>d"e|f?g*h`:                 "a,b_c_d_e_f_g_h",
		"line\nbreak\x1b[31m\x00":         "line_break_[31m_",
		"bytes \xff of no character":      "bytes _ of no character",
		"ends with dots..":                "ends with dots_",
		"ends with a space ":              "ends with a space_",
		"":                                "_",
		"..":                              "_",
		"con":                             "_con",
		"NUL.json":                        "_NUL.json",
		"com7":                            "_com7",
		"lpt¹.txt":                        "_lpt¹.txt",
		"confidence":                      "confidence",
		"COM":                             "COM",
		"a name with spaces and 許, as is": "a name with spaces and 許, as is",
	} {
		assert.Equal(t, want, Name(text, Most), "%q", text)
		assert.Equal(t, want, Name(want, Most), "a name that is fit stays")
	}
}

func TestLongNamesAreCutBetweenCharacters(t *testing.T) {
	for _, letter := range []string{"x", "é", "許", "🦊"} {
		for most := 20; most < 30; most++ {
			long := strings.Repeat(letter, 100)
			name, other := Name(long, most), Name(long+"y", most)
			assert.LessOrEqual(t, len(name), most)
			assert.Greater(t, len(name), most-len(letter))
			assert.True(t, utf8.ValidString(name))
			assert.NotEqual(t, name, other, "the end of a text tells its name from another's")
			assert.True(t, strings.HasPrefix(name, letter))
		}
	}
}

func FuzzName(f *testing.F) {
	f.Add("Echo/a:b", 100)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = 20 + most&0xff
		name := Name(text, most)
		assert.LessOrEqual(t, len(name), most)
		assert.NotEmpty(t, name)
		assert.False(t, strings.ContainsAny(name, "/\\:<>\"|?*\x00\n"))
		assert.Equal(t, name, Name(name, most), "a name of a name is the same")
	})
}
