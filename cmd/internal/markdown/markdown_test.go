package markdown

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTextsAreTextInMarkdown: what others wrote neither calls anybody, nor links, nor
// ends a cell.
func TestTextsAreTextInMarkdown(t *testing.T) {
	for _, c := range []struct{ about, text, want string }{
		{"plain words stay", "Intel(R) Xeon(R) CPU @ 2.20GHz, v1.2.3-rc4", "Intel(R) Xeon(R) CPU @ 2.20GHz, v1.2.3-rc4"},
		{"a mention", "@everyone, a@b.org", "@<!-- -->everyone, a@<!-- -->b.org"},
		{"an issue, here and elsewhere", "#1 a/b#22 GH-3 gh-4", "\\#<!-- -->1 a/b#<!-- -->22 GH<!-- -->-3 gh<!-- -->-4"},
		{"a number alone", "# 1", "\\# 1"},
		{"a bare address", "see https://x.y/z, ftp://x and www.x.y", "see https:<!-- -->//x.y/z, ftp:<!-- -->//x and www<!-- -->.x.y"},
		{"in capitals", "HTTPS://X WWW.X.Y", "HTTPS:<!-- -->//X WWW<!-- -->.X.Y"},
		{"a link and a picture", "[x](javascript:y) ![x](z)", "\\[x\\](javascript:y) !\\[x\\](z)"},
		{"a cell's end", "a|b\\|c", "a\\|b\\\\\\|c"},
		{"code, stress, a stroke, a formula", "`a` *b* _c_ ~d~ $e$", "\\`a\\` \\*b\\* \\_c\\_ \\~d\\~ \\$e\\$"},
		{"HTML", "<b>&amp;</b><!-- table:end -->", "&lt;b&gt;&amp;amp;&lt;/b&gt;&lt;!-- table:end --&gt;"},
		{"a line of its own", "a\n\n# b\r\x1b[2J", `a\\n\\n# b\\r\\x1b\[2J`},
		{"a list", "- a", "\\- a"},
		{"a flag", "-set=x", "-set=x"},
		{"a rule", "---", "\\---"},
		{"another list", "+ a", "\\+ a"},
		{"one with numbers", "1. a", "1\\. a"},
		{"of other form", "12) a", "12\\) a"},
		{"a line below a heading", "===", "\\==="},
		{"a number is none", "1.5", "1.5"},
	} {
		assert.Equal(t, c.want, Text(c.text), c.about)
	}
}
