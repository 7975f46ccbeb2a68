// Package markdown makes text of a text that others wrote, in any place of Markdown.
package markdown

import (
	"regexp"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/internal/foreign"
)

// Text escapes all that Markdown would take for more than text. GitHub
// looks for mentions, issues and addresses behind Markdown, where a backslash or an
// entity is gone; an empty comment cuts them in two.
func Text(text string) string {
	text = special.Replace(foreign.Line(text))
	text = leading.ReplaceAllString(text, `$1$3\$2$4`)
	return called.ReplaceAllString(text, "$1$3$5$7<!-- -->$2$4$6$8")
}

var (
	// special are the characters that Markdown would take for more than text.
	special = strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", ">", "&gt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "~", "\\~", "$", "\\$")
	// leading is what would begin a list or a heading.
	leading = regexp.MustCompile(`^(\s*)([-+](?:[\s-]|$)|[=#])|^(\s*\d+)([.)](?:\s|$))`)
	// called is a mention or an issue, an address of two forms, and an issue as GH-1.
	called = regexp.MustCompile(`([@#])(\w)|(:)(//)|(?i:\b(www)(\.))|(?i:\b(gh)(-\d))`)
)
