package metadata

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
