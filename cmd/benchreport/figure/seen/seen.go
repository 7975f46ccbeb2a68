// Package seen tells what is met for the first time.
package seen

// Texts are those that were met; make one with Texts{}. With tens of thousands of cases no
// list may be searched for each.
type Texts map[string]bool

// IsNew reports whether a text is met for the first time.
func (s Texts) IsNew(text string) bool {
	known := s[text]
	s[text] = true
	return !known
}
