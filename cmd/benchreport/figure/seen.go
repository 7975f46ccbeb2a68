package figure

// seen is texts that were met. With tens of thousands of cases no list may be
// searched for each.
type seen map[string]bool

// isNew reports whether a text is met for the first time.
func (s seen) isNew(text string) bool {
	known := s[text]
	s[text] = true
	return !known
}
