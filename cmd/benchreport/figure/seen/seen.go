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

// Once returns the texts of a list, each once, in their order.
func Once(list []string) (once []string) {
	known := Texts{}
	for _, text := range list {
		if known.IsNew(text) {
			once = append(once, text)
		}
	}
	return once
}
