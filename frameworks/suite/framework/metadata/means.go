package metadata

import (
	"encoding/base64"
	"fmt"
)

// Means says how a framework carries metadata with a call and with its reply. The zero Means
// are of one that does not.
type Means struct {
	// By names the framework's API, in a clause of a few words; "" for none.
	By string
	// OneWay says which way alone a framework without By carries metadata; "" for neither.
	OneWay string
	// Text says that values are text, so that they cannot have bytes of any kind.
	Text bool
	// Base64 says that values of any bytes are sent, and limited, in base64.
	Base64 bool
	// Filled says that a value cannot be empty.
	Filled bool
	// Most is how many bytes all entries may have, one way; 0 means that no limit is known.
	Most int
	// Added is how many bytes Most counts of an entry beside those of its name and its value.
	Added int
	// MostValue is how many bytes a value may have; 0 means that no limit is known.
	MostValue int
}

// Lacks says what of a set the means lack; "" for nothing.
func (m Means) Lacks(s Set) string {
	switch {
	case s.Entries == 0:
		return ""
	case m.By == "":
		return "metadata"
	case m.Text && s.Binary:
		return "binary metadata"
	case m.Filled && s.Bytes == 0:
		return "metadata without a value"
	}
	return ""
}

// Over returns why a set is over the limits; "" if it is not.
func (m Means) Over(s Set) string {
	if s.Binary && m.Base64 {
		s.Bytes = base64.RawStdEncoding.EncodedLen(s.Bytes)
	}
	switch sum := s.Size() + s.Entries*m.Added; {
	case m.Most > 0 && sum > m.Most:
		return fmt.Sprintf("%d bytes of %d", sum, m.Most)
	case m.MostValue > 0 && s.Bytes > m.MostValue:
		return fmt.Sprintf("values of %d bytes of %d", s.Bytes, m.MostValue)
	}
	return ""
}
